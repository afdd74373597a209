"""The same keys as the C command, on real URLs. SPDX-License-Identifier: Apache-2.0"""
import dustpan

MORE = """dustpan-rules 1
host any
order any
drop ?ref,source,page if =1
/{**}/index.html => /{**}/
fold case path
"""


def test_keys_of_real_urls_are_those_of_the_command(real_urls, command, tmp_path):
    urls = real_urls
    assert len(urls) >= 10 ** 5
    path = tmp_path / "x.rules"
    (dustpan.Rules.common() + dustpan.Rules(MORE)).save(path)
    engine = dustpan.Engine.load(path)
    want = command("apply", "--quiet", "-r", path, input=b"\n".join(urls) + b"\n").split(b"\n")[:-1]
    assert len(want) == len(urls) and sum(a != b for a, b in zip(urls, want)) > 1000
    assert [engine.key(url) for url in urls] == want
    assert engine.keys(urls) == want
    text = [dustpan._c.decode(url) for url in urls]
    assert engine.keys(text) == [dustpan._c.decode(key) for key in want]
    try:
        import pyarrow as pa
    except ImportError:
        return
    assert engine.keys_arrow(pa.array(urls, pa.binary())).to_pylist() == want
