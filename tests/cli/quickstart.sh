# What ./quickstart shows after the build.
sh "$ROOT/examples/quickstart.sh"
echo "exit $?"
