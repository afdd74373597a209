"""Seen. SPDX-License-Identifier: Apache-2.0"""
import os
import signal
import subprocess
import sys

import pytest

import dustpan
from dustpan import Engine, Rules, Seen

RULES = Rules("dustpan-rules 1\nhost a.com\ndrop ?sid\n")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "crawl.seen"


def test_keys_are_seen_once(path):
    engine = Engine(RULES)
    with Seen(path, engine) as seen:
        urls = ["http://a.com/?sid=1", b"http://a.com/?sid=2", "http://a.com/\udcff", b"no URL\n"]
        assert seen.add(urls) == [True, False, True, True]
        assert seen.add([]) == []
        seen.commit()
        assert seen.has(["http://a.com/", b"http://a.com/\xff", "http://a.com/new"]) == [True, True, False]
        assert "http://a.com/?sid=9" in seen and "http://a.com/new" not in seen
        assert len(seen) == 3 and seen.size > 0
    with Seen(path, engine) as seen:
        assert seen.add([f"http://a.com/{i}?sid={i}" for i in range(20000)]) == [True] * 20000
        assert seen.add(["http://a.com/7"]) == [False]
    with Seen(path, engine) as seen:
        assert len(seen) == 20003


def test_what_is_not_committed_is_forgotten(path):
    engine = Engine(RULES)
    seen = Seen(path, engine)
    assert seen.add(["http://a.com/1"]) == [True]
    seen.forget()
    assert seen.add(["http://a.com/1"]) == [True]
    seen.close()
    seen.close()
    with pytest.raises(dustpan.UsageError):
        seen.add(["http://a.com/1"])
    with pytest.raises(KeyError), Seen(path, engine) as seen:
        assert seen.add(["http://a.com/1"]) == [True]
        raise KeyError
    with Seen(path, engine) as seen:
        assert len(seen) == 0


def test_other_rules_are_refused_or_rekeyed(path):
    with Seen(path, Engine(RULES)) as seen:
        seen.add(["http://a.com/?x=1", "http://a.com/?x=2"])
    other = Engine(RULES + Rules("dustpan-rules 1\nhost a.com\ndrop ?x\n"))
    with pytest.raises(dustpan.UsageError):
        Seen(path, other)
    with Seen(path, other, rekey=True) as seen:
        assert len(seen) == 1 and "http://a.com/?x=3" in seen
    with Seen(path, other) as seen:
        assert len(seen) == 1


def test_what_a_rule_has_hidden_comes_back(path):
    engine = Engine(RULES)
    rule = engine.rules[0].id
    with Seen(path, engine, remember=True) as seen:
        assert seen.add(["http://a.com/?sid=1", "http://a.com/#top", "http://a.com/?sid=1"]) == [True, False, False]
        assert seen.contents["hidden"] == 1
        assert seen.add(["http://a.com/", b"tag"], ["http://a.com/?sid=2", None]) == [False, True]
    with Seen(path, engine) as seen:
        assert seen.remembers
        assert sorted(seen.rollback(rule)) == ["http://a.com/", "http://a.com/?sid=2"]
        seen.forget()
        assert len(list(seen.rollback(rule))) == 2
    other = Engine(engine.rules.off(rule))
    with Seen(path, other, rekey=True) as seen:
        assert seen.has(["http://a.com/?sid=1", "http://a.com/", "http://a.com/?sid=2"]) == [True, False, False]
    with pytest.raises(dustpan.UsageError), Seen(str(path) + "2", engine) as seen:
        list(seen.rollback(rule))


def test_a_killed_process_loses_no_url(path):
    code = ("import sys, dustpan\n"
            "seen = dustpan.Seen(sys.argv[1], dustpan.Engine(dustpan.Rules(sys.stdin.read())))\n"
            "seen.add(['http://a.com/1']); seen.commit(); seen.add(['http://a.com/2']); print('there', flush=True)\n"
            "import time; time.sleep(60)\n")
    process = subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(bytes(RULES))
    process.stdin.close()
    assert process.stdout.readline() == b"there\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with Seen(path, Engine(RULES)) as seen:
        assert seen.add(["http://a.com/1", "http://a.com/2"]) == [False, True]


def test_a_path_that_cannot_be(tmp_path):
    with pytest.raises(dustpan.FileError):
        Seen(tmp_path / "none" / "crawl.seen", Engine(RULES))
