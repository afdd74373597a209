"""learn(). SPDX-License-Identifier: Apache-2.0"""
import json
import threading

import pytest

import dustpan
from dustpan import learn


def records():
    """Two sites: one with a session id, one whose parameter matters."""
    for i in range(150):
        yield {"url": f"http://shop.example/item/{i}", "cluster": f"p{i}", "status": 200}
        yield {"url": f"http://shop.example/item/{i}?sid={i * 7919 % 1000}", "cluster": f"p{i}", "status": 200}
        yield {"url": f"http://news.example/story?id={i}", "cluster": f"q{i}", "status": 200}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("learn") / "records.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records()))
    return path


@pytest.fixture(scope="module")
def learned():
    return learn(records())


def test_records_become_rules(learned):
    assert [(rule.text, rule.hosts, rule.state) for rule in learned.rules] == [("drop ?sid", "shop.example", "active")]
    assert learned.summary["records"] == 450 and learned.summary["held_out_lost"] == 0
    assert str(learned).startswith("450 records\n") and learned.bad_lines == 0 and learned.bad == ()
    assert dustpan.Engine(learned.rules).key("http://shop.example/item/new?sid=1") == "http://shop.example/item/new"


def test_they_are_those_of_the_command(learned, file, command):
    assert bytes(learned.rules) == command("learn", "--quiet", file)
    assert learn(file).rules == learned.rules == learn([file, str(file)][:1]).rules


def test_several_files(tmp_path, file, learned):
    lines, files = file.read_text().splitlines(True), []
    for i in range(3):
        files.append(tmp_path / f"{i}.jsonl")
        files[-1].write_text("".join(lines[i::3]))
    assert learn(files).rules == learned.rules


def test_identity(command, tmp_path):
    """By the names of the input /old/N is item N; by content it is another page."""
    path = tmp_path / "both.jsonl"
    with path.open("w") as f:
        for i in range(80):
            for url, digest in (f"/item/{i}", i), (f"/item/{i}?sid={i}", i), (f"/old/{i}", f"old{i}"):
                print(json.dumps({"url": f"http://a.org{url}", "cluster": f"p{i}", "digest": f"sha1:{digest}",
                                  "size": 5000}), file=f)
    for identity, pages in ("clusters", 80), ("content", 160), ("clusters,content", 80):
        found = learn(path, identity=identity)
        assert bytes(found.rules) == command("learn", "--quiet", "--identity", identity, path)
        assert (found.summary["known_pages"], found.summary["known_urls"]) == (pages, 240)
        assert found.summary["identity"] == ("content" if identity == "content" else "clusters")
        assert f"identity={found.summary['identity']}".encode() in bytes(found.rules)
        with path.open() as f:
            assert learn((json.loads(line) for line in f), identity=identity).rules == found.rules
    with pytest.raises(dustpan.UsageError, match="identity"):
        learn(path, identity="text")


def test_options(command, file):
    for options, words in (
        ({"method": "tree", "threads": 1}, ["--method", "tree", "--threads", "1"]),
        ({"keep": ["sid", "lang"], "min_precision": .9}, ["--keep", "sid,lang", "--min-precision", ".9"]),
        ({"method": "rewrite", "exact": True, "strict": False}, ["--method", "rewrite", "--exact"]),
        ({"labels": "near", "trust": ("near",)}, ["--labels", "near", "--trust", "near"]),
    ):
        want = command("learn", "--quiet", *words, file)
        assert bytes(learn(records(), **options).rules).replace(b"0.9\n", b".9\n") == want.replace(b"0.9\n", b".9\n")
    with pytest.raises(dustpan.UsageError, match="unknown option '--methd'"):
        learn(records(), methd="auto")
    with pytest.raises(dustpan.UsageError, match="method"):
        learn(records(), method="none")


def test_formats(tmp_path):
    path = tmp_path / "pairs"
    path.write_text("".join(f"{i % 150}\tx\thttp://a.com/{i % 150}?s={i * 7}\n" for i in range(600)))
    assert [rule.text for rule in learn(path, columns="cluster,-,url").rules] == ["drop ?s"]
    with pytest.raises(dustpan.UsageError):
        learn(path, format="nothing")


def test_bytes_survive():
    odd = [{"url": b"http://a.com/%d?\xff=%d" % (i, j), "cluster": i} for i in range(100) for j in range(3)]
    same = [{"url": dustpan._c.decode(r["url"]), "cluster": r["cluster"]} for r in odd]
    rules = learn(odd).rules
    assert len(rules) == 1 and rules == learn(same).rules
    assert dustpan.Engine(rules).key(b"http://a.com/7?\xff=9") == b"http://a.com/7"


def test_bad_records_are_counted_and_told():
    rows = [{"url": "http://a.com/"}, {"address": "http://a.com/"}, {"url": "http://a.com/", "status": "nonsense"}]
    result = learn(rows)
    assert result.bad_lines == 2
    assert [(bad.file, bad.line) for bad in result.bad] == [("records", 2), ("records", 3)]
    with pytest.raises(dustpan.ParseError) as e:
        learn(rows, strict=True)
    assert str(e.value) == "records:2: the object has no 'url'"


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(dustpan.FileError):
        learn(tmp_path / "none")
    with pytest.raises(TypeError):
        learn(7)


def test_nothing_to_learn_from():
    assert len(learn([]).rules) == 0
    summary = learn([{"url": "http://a.com/", "cluster": 1}]).summary
    assert "no page was seen under two URLs" in summary["why_no_rule"] and summary["next"]


def test_an_iterator_that_fails_ends_it():
    def broken():
        yield from records()
        raise KeyError("mine")

    before = threading.active_count()
    with pytest.raises(KeyError, match="mine"):
        learn(broken())
    assert threading.active_count() == before


def test_records_are_taken_in_the_callers_thread():
    seen = set()

    def rows():
        for record in records():
            seen.add(threading.current_thread())
            yield record

    learn(rows())
    assert seen == {threading.current_thread()}


def test_more_records_than_a_pipe_holds():
    """The reader ends at the first line; who writes a million lines behind it is not left waiting."""
    with pytest.raises(dustpan.ParseError):
        learn(({"uri": i} for i in range(10 ** 6)), strict=True)


def test_progress_and_stop(learned):
    calls = []
    assert learn(records(), progress=lambda *args: calls.append(args)).rules == learned.rules
    assert calls and all(isinstance(unit, str) for _, _, unit in calls)
    with pytest.raises(dustpan.Error, match="stopped"):
        learn(records(), progress=lambda *args: True)

    def fails(*args):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        learn(records(), progress=fails)


def test_learning_in_threads(learned):
    results = []
    threads = [threading.Thread(target=lambda: results.append(learn(records()).rules)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [learned.rules] * 4
