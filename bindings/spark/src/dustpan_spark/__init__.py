"""dustpan on Spark: learn, evaluate and apply rewrite rules over DataFrames.

    records = dustpan_spark.read(spark, "s3a://.../*.parquet")
    learned = dustpan_spark.learn(records)
    keys = dustpan_spark.apply(records, learned.rules)

The C library runs inside the tasks, through the Python package: rules, keys and numbers are those of the command, byte
for byte. docs/spark.md is the manual.

SPDX-License-Identifier: Apache-2.0
"""
from dustpan_spark.apply import apply
from dustpan_spark.evaluate import evaluate
from dustpan_spark.learn import learn
from dustpan_spark.records import read, records

__all__ = ["apply", "evaluate", "learn", "read", "records"]
