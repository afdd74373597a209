"""Rules over a column of URLs: dustpan's engine in every task.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import types as T

from dustpan import Engine, Rules


def apply(df: DataFrame, rules: Any, *, url: str = "url", key: str = "key", form: str = "key",
          with_likely: bool = False, min_precision: float = 0.0) -> DataFrame:
    """`df` with an additional column: the keys of its URLs, as `dustpan apply` prints them.

    `rules` is a dustpan.Rules, or the path of a rule file on the driver. Text that is not a URL is its own key, null
    stays null. Whole rows go through Python: select the columns that you need first.
    """
    text, choice = bytes(rules_of(rules)), (with_likely, min_precision)
    if key in df.columns:
        raise ValueError(f"there is already a column '{key}': choose another name with key=...")
    if not isinstance(df.schema[url].dataType, T.StringType):
        raise ValueError(f"the column '{url}' is not a string column")

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        engine = engine_of(text, *choice)
        for batch in batches:
            urls = batch.column(url)
            yield pa.RecordBatch.from_arrays([*batch.columns, engine.keys_arrow(urls, form).cast(pa.string())],
                                             [*batch.schema.names, key])

    return df.mapInArrow(work, T.StructType([*df.schema.fields, T.StructField(key, T.StringType())]))


def rules_of(rules: Any) -> Rules:
    return rules if isinstance(rules, Rules) else Rules.load(rules)


@lru_cache(maxsize=4)
def engine_of(text: bytes, with_likely: bool, min_precision: float) -> Engine:
    """Compiled once per Python process, which serves many tasks."""
    return Engine(Rules(text), with_likely=with_likely, min_precision=min_precision)
