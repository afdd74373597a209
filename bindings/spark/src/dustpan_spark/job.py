"""The job as a command: dustpan-spark learn|eval|apply, or python -m dustpan_spark.

    dustpan-spark learn --format cdxj -o site.rules 's3a://bucket/crawl/*.cdxj.gz'

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Dict, List, Optional

from pyspark.sql import DataFrame, SparkSession

import dustpan
import dustpan_spark


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dustpan-spark", description="dustpan over Spark DataFrames; docs/spark.md")
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, about in (("learn", "learn a rule file from records; other options are those of dustpan learn"),
                        ("eval", "measure rules on records that show which URLs are the same page; prints JSON"),
                        ("apply", "write records with the keys of their URLs, as Parquet")):
        sub = verbs.add_parser(verb, help=about, description=about)
        sub.add_argument("input", nargs="+", help="input files or folders, as Spark takes them")
        sub.add_argument("--format", default="parquet", help="parquet, jsonl, cdxj, tsv, urls, combined ...")
        sub.add_argument("--columns", help="columns of a TSV file: cluster,url,- ...")
        sub.add_argument("--log-format", help="what writes the log (nginx, apache, iis, ...), or its format, in the syntax of nginx or Apache")
        sub.add_argument("--base-url", help="scheme and host for log lines without a host")
        sub.add_argument("--master", help="the Spark master, unless spark-submit or its settings name it")
        if verb != "learn":
            sub.add_argument("-r", "--rules", required=True, help="rule file on the driver")
        if verb != "eval":
            sub.add_argument("-o", "--output", required=True,
                             help="rule file to write on the driver; for apply, a folder of Parquet files")
    return parser


def _options(words: List[str]) -> Dict[str, Any]:
    """--name value, --name=value and --flag, as dustpan.learn() takes them."""
    options: Dict[str, Any] = {}
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            raise SystemExit(f"dustpan-spark: '{word}' is not an option")
        name, given, value = word[2:].partition("=")
        if not given and words and not words[0].startswith("--"):
            value, given = words.pop(0), "="
        options[name.replace("-", "_")] = value if given else True
    return options


def main(arguments: Optional[List[str]] = None) -> int:
    parser = _parser()
    args, rest = parser.parse_known_args(arguments)
    options = _options(rest)
    if options and args.verb != "learn":
        parser.error(f"unknown option: --{next(iter(options)).replace('_', '-')}")
    builder = SparkSession.builder.appName(f"dustpan {args.verb}")
    spark = (builder.master(args.master) if args.master else builder).getOrCreate()
    try:
        _work(args, options, _records(spark, args))
    except (dustpan.Error, ValueError) as e:
        print(f"dustpan-spark: {e}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    return 0


def _records(spark: SparkSession, args: argparse.Namespace) -> DataFrame:
    how = {name: getattr(args, name) for name in ("columns", "log_format", "base_url") if getattr(args, name)}
    return dustpan_spark.read(spark, *args.input, format=args.format, **how)


def _work(args: argparse.Namespace, options: Dict[str, Any], records: DataFrame) -> None:
    if args.verb == "learn":
        learned = dustpan_spark.learn(records, **options)
        learned.rules.save(args.output)
        for line in (*str(learned).splitlines(), *learned.warnings):
            print(f"dustpan-spark: {line}", file=sys.stderr)
    elif args.verb == "eval":
        print(json.dumps(dustpan_spark.evaluate(records, args.rules)))
    else:
        dustpan_spark.apply(records.drop("place"), args.rules).write.parquet(args.output)


if __name__ == "__main__":
    sys.exit(main())
