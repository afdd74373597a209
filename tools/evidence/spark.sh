#!/bin/sh
# spark.sh BUILD - learn on Spark with a worker killed, and on one machine: the rule files must be the same bytes.
#
# URLS (1,000,000) planted URLs on 40 hosts, of which the first has a third. tests/spark/test_spark.py does it.
# SPDX-License-Identifier: Apache-2.0
set -eu
BUILD=$1
export BUILD
bindings/spark/venv.sh >/dev/null
DUSTPAN=$BUILD/dustpan PLANT=$BUILD/plant DP_SPARK_URLS=${URLS:-1000000} PYTHONWARNINGS=ignore \
    "$BUILD/venv/bin/python" tests/spark/test_spark.py learns_what_one_machine_learns_with_a_worker_killed 2>/dev/null
