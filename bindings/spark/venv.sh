#!/bin/sh
# venv.sh - the virtual environment $BUILD/venv of bindings/python/venv.sh with Spark and dustpan_spark in it, too.
#
#     BUILD=build bindings/spark/venv.sh     prints what it does; needs PyPI (450 MB) the first time
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
venv=$BUILD/venv
package=bindings/spark
bindings/python/venv.sh
exec 9>"$BUILD/venv.lock"
flock 9

if ! cmp -s $package/requirements.txt "$venv/spark-requirements.txt"; then
    echo "adding Spark to $venv"
    "$venv/bin/pip" install -q --disable-pip-version-check -r $package/requirements.txt
    cp $package/requirements.txt "$venv/spark-requirements.txt"
fi
if [ ! -e "$venv/spark-installed" ] ||
    find $package -type f ! -name '*.pyc' -newer "$venv/spark-installed" | grep -q .; then
    "$venv/bin/pip" install -q --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall ./$package
    rm -rf $package/build $package/src/*.egg-info
    touch "$venv/spark-installed"
fi
