"""Columns of Arrow. SPDX-License-Identifier: Apache-2.0"""
import pytest

import dustpan

pa = pytest.importorskip("pyarrow")
from test_engine import TEXT, random_urls  # noqa: E402

TYPES = [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()]


@pytest.fixture(scope="module")
def engine():
    return dustpan.Engine(dustpan.Rules(TEXT))


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_a_column_is_as_a_list(engine, kind, seed):
    urls = [url for url in random_urls(seed, 3000) if "\udcff" not in url]
    if "binary" in str(kind):
        urls = [dustpan._c.encode(url) for url in urls] + [b"\xff\xfe no URL"]
    urls[7:9] = [None, None]
    urls[-1] = None
    column = pa.array(urls, kind)
    want = [None if url is None else engine.key(url) for url in urls]
    answer = engine.keys_arrow(column)
    answer.validate(full=True)
    assert answer.type == kind and answer.null_count == 3 and answer.to_pylist() == want
    for a, b in (0, 0), (0, 5), (3, 20), (7, 9), (8, 2999), (2990, 3000):
        piece = engine.keys_arrow(column[a:b])
        piece.validate(full=True)
        assert piece.to_pylist() == want[a:b]
    chunked = pa.chunked_array([column[5:100], column[:0], column[2000:]], kind)
    assert engine.keys_arrow(chunked).to_pylist() == want[5:100] + want[2000:]
    assert engine.keys_arrow(chunked).type == kind
    assert engine.keys_arrow(column, "stage0")[0].as_py() == engine.form(urls[0], "stage0")


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_empty_columns(engine, kind):
    assert engine.keys_arrow(pa.array([], kind)).to_pylist() == []
    assert engine.keys_arrow(pa.array([None, None], kind)).to_pylist() == [None, None]
    assert engine.keys_arrow(pa.array(["", ""]).cast(kind)).to_pylist() == pa.array(["", ""]).cast(kind).to_pylist()
    assert engine.keys_arrow(pa.chunked_array([], kind)).to_pylist() == []


def test_dictionaries_are_asked_once_a_value(engine):
    column = pa.array(["http://a.com/?sid=1", None, "http://a.com/?sid=1", "http://a.com/?sid=2"]).dictionary_encode()
    answer = engine.keys_arrow(column)
    assert pa.types.is_dictionary(answer.type) and len(answer.dictionary) == 2
    assert answer.to_pylist() == ["http://a.com/", None, "http://a.com/", "http://a.com/"]


def test_the_answer_outlives_engine_and_column():
    engine = dustpan.Engine(dustpan.Rules(TEXT))
    column = pa.array(["http://a.com/x?sid=1"] * 10000)
    answer = engine.keys_arrow(column)
    del engine, column
    pa.array(["something else"] * 100000)
    assert answer.to_pylist() == ["http://a.com/x"] * 10000


def test_no_text_is_copied(engine):
    """The input is read where it lies: nothing is taken from Arrow's memory, and little from Python's."""
    column = pa.array([f"http://a.com/{i}?sid={i}" for i in range(10000)])
    before = pa.total_allocated_bytes()
    answer = engine.keys_arrow(column)
    assert pa.total_allocated_bytes() == before
    assert len(answer) == 10000


def test_other_types_are_refused(engine):
    with pytest.raises(dustpan.UsageError, match="int64"):
        engine.keys_arrow(pa.array([1, 2]))


def test_what_arrow_understands_is_taken(engine):
    assert engine.keys_arrow(["http://a.com/?sid=1", None]).to_pylist() == ["http://a.com/", None]


def test_learn_from_a_table(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"url": f"http://a.com/{i}{end}", "cluster": str(i), "status": None}
            for i in range(100) for end in ("", f"?sid={i * 7919 % 1000}")]
    table = pa.Table.from_pylist(rows)
    want = dustpan.learn(iter([{"url": r["url"], "cluster": r["cluster"]} for r in rows])).rules
    assert "drop ?sid" in str(want)
    path = tmp_path / "records.parquet"
    parquet.write_table(table, path)
    for records in (table, table.to_batches()[0], table.to_reader(), path):
        assert str(dustpan.learn(records).rules) == str(want)
    half = len(rows) // 2
    for part, name in (table[:half], "a.parquet"), (table[half:], "b"):  # recognised by its first bytes, too
        parquet.write_table(part, tmp_path / name)
    assert str(dustpan.learn([tmp_path / "a.parquet", tmp_path / "b"]).rules) == str(want)
    (tmp_path / "c.jsonl").write_text('{"url": "http://a.com/"}\n')
    with pytest.raises(dustpan.UsageError, match="Parquet"):
        dustpan.learn([tmp_path / "b", tmp_path / "c.jsonl"])
