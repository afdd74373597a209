"""Engines: texts of all kinds, threads, processes, memory. SPDX-License-Identifier: Apache-2.0"""
import gc
import os
import pickle
import random
import subprocess
import sys
import threading
import time

import pytest

import dustpan
from dustpan import Engine, Rules

TEXT = """dustpan-rules 1
host a.com
drop ?sid
/long => /a/path/that/is/longer/than/what/it/was/before
likely /{x}/print => /{x} [p=.9]
/{x}/old => /{x} [p=.95]
"""


@pytest.fixture(scope="module")
def engine():
    return Engine(Rules(TEXT))


def test_str_and_bytes(engine):
    assert engine.key("http://a.com/x?sid=1") == "http://a.com/x"
    assert engine.key(b"http://a.com/x?sid=1") == b"http://a.com/x"
    assert engine.key("") == "" and engine.key(b"") == b""
    assert engine.key("no URL \u00e4\U0001f600") == "no URL \u00e4\U0001f600"
    assert engine.key(b"no URL \xff\0\n") == b"no URL \xff\0\n"
    assert engine.key("no URL \udcff") == "no URL \udcff"
    assert engine.key(bytes(range(256))) == bytes(range(256))
    with pytest.raises(UnicodeEncodeError):
        engine.key("no bytes at all: \ud800")
    with pytest.raises(TypeError):
        engine.key(7)


def test_subclasses_of_str(engine):
    class Url(str):
        pass

    assert engine.key(Url("http://a.com/x?sid=1")) == "http://a.com/x"


def test_long_urls(engine):
    url = "http://a.com/" + "x" * 100000
    assert engine.key(url + "?sid=1") == url
    assert engine.keys([url + "?sid=1", "http://a.com/"] * 3) == [url, "http://a.com/"] * 3


def test_forms(engine):
    assert engine.form("http://a.com/x?sid=1", "fetch") == "http://a.com/x?sid=1"
    assert engine.form(b"http://a.com/x?sid=1", "surt") == b"com,a)/x"
    assert engine.form("HTTP://A.com/x?sid=1", "stage0") == "http://a.com/x?sid=1"
    assert engine.keys(["HTTP://A.com/x?sid=1"], "stage0") == ["http://a.com/x?sid=1"]
    with pytest.raises(dustpan.UsageError, match="expected one of key, fetch"):
        engine.form("http://a.com", "kye")


def test_choice_of_rules():
    rules = Rules(TEXT)
    assert Engine(rules, with_likely=True).key("http://a.com/x/print") == "http://a.com/x"
    assert Engine(rules, min_precision=.99).key("http://a.com/x/old") == "http://a.com/x/old"
    assert Engine(rules, min_precision=.99).set_id != Engine(rules).set_id == rules.set_id


def test_explanations(engine):
    told = engine.explain("HTTP://a.com/x/old?sid=1")
    assert [step.rule for step in told.steps] == ["drop ?sid", "/{x}/old => /{x} [p=.95]"]
    assert told.steps[1].after == told.key == "http://a.com/x" and told.stage0 == "http://a.com/x/old?sid=1"
    assert told.is_url and not told.limit and told.set_id == engine.set_id
    assert str(told).startswith("HTTP://a.com/x/old?sid=1\n  ") and str(told).endswith("key  http://a.com/x")
    assert not engine.explain(b"\xff no URL").is_url
    assert engine.same("http://a.com/?sid=1", b"http://a.com/?sid=2")
    assert not engine.same("http://a.com/1", "http://a.com/2")


def random_urls(seed, n):
    r = random.Random(seed)
    kinds = ("http://a.com/{}?sid={}", "HTTP://A.com:80/{}/../{}", "http://a.com/long", "", "no\nURL {}",
             "http://b.org/\u00e4{}", "http://a.com/\udcff{}\udcfe", "{}\n", "\n", "http://a.com/{}/old")
    return [r.choice(kinds).format(r.randrange(1000), r.randrange(1000)) for _ in range(n)]


@pytest.mark.parametrize("seed", range(20))
def test_many_are_as_one(engine, seed):
    urls = random_urls(seed, (0, 1, 2, 100, 8191, 8192, 8193, 20000)[seed % 8])
    want = [engine.key(url) for url in urls]
    assert engine.keys(urls) == want
    assert engine.keys(iter(urls)) == want
    assert engine.keys([dustpan._c.encode(url) for url in urls]) == [dustpan._c.encode(key) for key in want]


def test_keys_that_grow(engine):
    """Answers that are much longer than what was asked: room is made."""
    key = "http://a.com/a/path/that/is/longer/than/what/it/was/before"
    assert engine.keys(["http://a.com/long"] * 5000) == [key] * 5000


def test_mixed_kinds_are_refused(engine):
    with pytest.raises(TypeError):
        engine.keys(["http://a.com", b"http://a.com"])
    with pytest.raises(TypeError):
        engine.keys([b"http://a.com", "http://a.com"])


def test_compiled_files(engine, tmp_path):
    path = tmp_path / "a.dpc"
    engine.save(path)
    again = Engine.load(path)
    assert again.set_id == engine.set_id and len(again) == len(engine) == 4
    assert str(again.rules) == str(engine.rules) == str(Rules.load(path))
    assert again.key("http://a.com/x?sid=1") == "http://a.com/x"
    (tmp_path / "a.rules").write_text(TEXT)
    assert Engine.load(tmp_path / "a.rules").set_id == engine.set_id
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(dustpan.ParseError):
        Engine.load(path)
    with pytest.raises(dustpan.FileError):
        Engine.load(tmp_path / "none")


def test_pickles(engine, tmp_path):
    engine.save(tmp_path / "a.dpc")
    for e in engine, Engine(Rules(TEXT), with_likely=True, min_precision=.5), Engine.load(tmp_path / "a.dpc"):
        again = pickle.loads(pickle.dumps(e))
        assert again.set_id == e.set_id and again.key("http://a.com/x?sid=1") == "http://a.com/x"


def test_another_process(engine):
    code = "import pickle, sys; e = pickle.load(sys.stdin.buffer); print(e.set_id, e.key('http://a.com/x?sid=1'))"
    run = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(engine), stdout=subprocess.PIPE, check=True)
    assert run.stdout.decode().split() == [engine.set_id, "http://a.com/x"]


def test_a_forked_process(engine):
    engine.key("http://a.com/x?sid=1")
    source, sink = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            learned = dustpan.learn([{"url": "http://a.com/1", "cluster": "1"}])
            os.write(sink, f"{engine.keys(['http://a.com/x?sid=1'] * 3)} {len(learned.rules)}".encode())
        finally:
            os._exit(0)
    os.close(sink)
    with open(source) as f:
        assert f.read() == f"{['http://a.com/x'] * 3} 0"
    os.waitpid(pid, 0)


def test_threads_share_an_engine(engine):
    wrong, urls = [], [(f"http://a.com/{i}?sid={i}", f"http://a.com/{i}") for i in range(2000)]

    def work(seed):
        mine = list(urls)
        random.Random(seed).shuffle(mine)
        wrong.extend(pair for pair in mine if engine.key(pair[0]) != pair[1])
        if engine.keys(url for url, _ in mine) != [key for _, key in mine]:
            wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_during_a_batch(engine):
    pa = pytest.importorskip("pyarrow")
    urls = pa.array([f"http://a.com/{i}?sid={i}" for i in range(100000)])
    urls = pa.concat_arrays([urls] * 40)
    done = threading.Event()

    def work():
        engine.keys_arrow(urls)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    ticks = 0
    while not done.is_set():
        time.sleep(.001)
        ticks += 1
    thread.join()
    assert ticks > 20


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_nothing_leaks():
    pa = pytest.importorskip("pyarrow")
    urls = [f"http://a.com/{i}?sid={i}" for i in range(2000)]
    column = pa.array(urls)
    count = sys.getrefcount(urls), sys.getrefcount(column)
    text = TEXT + "".join(f"drop ?a{i}\n" for i in range(500))

    def once():
        engine = Engine(Rules(text))
        engine.keys(urls)
        engine.keys_arrow(column)
        [engine.key(url) for url in urls[:100]]
        engine.explain(urls[0])
        pickle.loads(pickle.dumps(engine)).rules.off(engine.rules.ids[0])
        with pytest.raises(dustpan.ParseError):
            Rules(text + "drp\n")

    for _ in range(20):
        once()
    gc.collect()
    before = resident()
    for _ in range(60):
        once()
    gc.collect()
    # One engine of these, or one column, is 100 KB: 60 of any of them would be 6 MB.
    assert resident() - before < 3 << 20
    assert (sys.getrefcount(urls), sys.getrefcount(column)) == count


@pytest.mark.parametrize("one", ["http://a.com/", b"http://a.com/"])
def test_one_url_is_not_several(one):
    with pytest.raises(TypeError, match="key\\(\\) takes one"):
        dustpan.Engine(dustpan.Rules(TEXT)).keys(one)
