# The parts of tests/apps on pages that were made up.
if ! /usr/bin/python3 -c 'import lxml' 2>/dev/null; then
    echo "SKIP: python3-lxml is not installed"
    exit 77
fi
/usr/bin/python3 "$ROOT/tests/apps/test_parts.py"
