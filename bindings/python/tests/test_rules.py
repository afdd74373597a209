"""Rules. SPDX-License-Identifier: Apache-2.0"""
import os
import pickle
import stat

import pytest

import dustpan
from dustpan import Rules

TEXT = """dustpan-rules 1
# what we know
host a.com, *.b.org
drop ?sid,utm_*                                              [p=.998 n=212 neg=0 by=text]
likely /{x}/print => /{x}                                    [p=.9 by=near]
off drop ?old
pin fold case path
"""


def test_rules_are_a_row_of_rules():
    rules = Rules(TEXT)
    assert len(rules) == 4
    assert [rule.text for rule in rules] == ["drop ?sid,utm_*", "/{x}/print => /{x}", "drop ?old", "fold case path"]
    assert [rule.state for rule in rules] == ["active", "likely", "off", "pin"]
    assert rules[0].hosts == "a.com, *.b.org"
    assert rules[0].attributes == {"p": ".998", "n": "212", "neg": "0", "by": "text"}
    assert rules[-1] == rules[3] and rules[3].attributes == {}
    assert [rule.id for rule in rules] == rules.ids and len(set(rules.ids)) == 4
    with pytest.raises(IndexError):
        rules[4]


def test_text_goes_round():
    rules = Rules(TEXT)
    assert str(rules) == TEXT
    assert Rules(bytes(rules)) == rules and hash(Rules(TEXT)) == hash(rules)
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules != Rules() and len(Rules()) == 0


def test_save_and_load(tmp_path):
    rules, path = Rules(TEXT), tmp_path / "a.rules"
    umask = os.umask(0o027)
    try:
        rules.save(path)
    finally:
        os.umask(umask)
    assert path.read_text() == TEXT
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a.rules"]
    assert Rules.load(path) == rules
    more = tmp_path / "b.rules"
    more.write_text("dustpan-rules 1\nhost c.net\ndrop ?x\n")
    assert len(Rules.load(path, str(more))) == 5


def test_a_save_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.rules"
    path.mkdir()
    with pytest.raises(OSError):
        Rules(TEXT).save(path)
    assert os.listdir(tmp_path) == ["a.rules"]


def test_set_ids_tell_what_changes_keys():
    rules = Rules(TEXT)
    assert Rules(TEXT.replace("# what we know\n", "")).set_id == rules.set_id
    assert rules.off(rules.ids[0]).set_id != rules.set_id
    assert rules.off(rules.ids[0]).on(rules.ids[0]).set_id == rules.set_id
    assert len(rules.set_id) == 16


def test_turning_off():
    rules = Rules(TEXT)
    assert rules.off(rules.ids[0][:8])[0].state == "off" and rules[0].state == "active"
    with pytest.raises(dustpan.UsageError):
        rules.off("0000000000000000")


def test_sums_and_differences():
    a, b = Rules("dustpan-rules 1\nhost a.com\ndrop ?x\n"), Rules("dustpan-rules 1\nhost a.com\ndrop ?x\ndrop ?y\n")
    assert [rule.text for rule in a + b] == ["drop ?x", "drop ?y"]
    assert a.diff(a) == "" and "drop ?y" in a.diff(b)
    assert "drop ?x" in a.show()


def test_errors_say_where(tmp_path):
    with pytest.raises(dustpan.ParseError) as e:
        Rules(TEXT + "drp ?sid\n", "site.rules")
    assert (e.value.file, e.value.line, e.value.column) == ("site.rules", 8, 1)
    assert str(e.value).startswith("site.rules:8:1: ") and isinstance(e.value, ValueError)
    with pytest.raises(OSError) as e:
        Rules.load(tmp_path / "none")
    assert isinstance(e.value, dustpan.FileError) and str(tmp_path / "none") in str(e.value)
    again = pickle.loads(pickle.dumps(e.value))
    assert str(again) == str(e.value) and type(again) is dustpan.FileError


def test_common_rules_are_inside():
    assert dustpan.Engine(Rules.common()).key("http://a.com/?utm_source=x&id=1") == "http://a.com/?id=1"
