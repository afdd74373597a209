"""dustpan on Spark: evaluate and apply rewrite rules over DataFrames.

    records = dustpan_spark.read(spark, "s3a://.../*.parquet")
    dustpan_spark.evaluate(records, "site.rules")
    keys = dustpan_spark.apply(records, "site.rules")

The C library runs inside the tasks, through the Python package: keys and numbers are those of the command.
docs/spark.md is the manual.

SPDX-License-Identifier: Apache-2.0
"""
from dustpan_spark.apply import apply
from dustpan_spark.evaluate import evaluate
from dustpan_spark.records import read, records

__all__ = ["apply", "evaluate", "read", "records"]
