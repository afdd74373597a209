/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "rule/rulefile.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

#define H "dustpan-rules 1\n"
#define B H "host a.com, *.b.com\n"
#define LABEL                                                                                                          \
    "the host of a template must be a literal name, or {x}.name with a plain capture of one label; for many hosts "    \
    "write 'host *.name' above"
#define ROW "two captures in a row: put a literal between them, or give the first one a length as in {x:int*4}"

static dp_rules *new_rules(void)
{
    dp_rules *r;
    assert_int_equal(DP_OK, dp_rules_new(&r));
    return r;
}

static void parse(dp_rules *r, const char *text)
{
    dp_error err = {0};
    if (dp_rules_parse(r, "f", text, strlen(text), &err))
        fail_msg("%s\n%zu:%zu: %s", text, err.line, err.column, err.message);
}

/* ---- what is wrong, where, and what to do ------------------------------------------------ */

static const struct {
    const char *text, *want;
} errors[] = {
    {"", "1:1: the first line of a rule file must be 'dustpan-rules 1'"},
    {"host a.com\n", "1:1: the first line of a rule file must be 'dustpan-rules 1'"},
    {"dustpan-rules 2\n",
     "1:1: the first line is 'dustpan-rules 2', but this version of dustpan reads only 'dustpan-rules 1'"},
    {"dustpan-rules 1 x\n",
     "1:1: the first line is 'dustpan-rules 1 x', but this version of dustpan reads only 'dustpan-rules 1'"},
    {"\357\273\277dustpan-rules 1\n", "1:1: the file begins with a byte order mark: save it without one"},
    {" dustpan-rules 1\n", "1:1: the first line of a rule file must be 'dustpan-rules 1'"},
    {H "drop ?a\n", "2:1: a host line must come first ('host any' is for every host)"},
    {H "order any\n", "2:1: a host line must come first ('host any' is for every host)"},
    {H "keep ?a\n", "2:1: a host line must come first ('host any' is for every host)"},
    {H "host\n", "2:5: a host name is missing after 'host'"},
    {H "host a.com,\n", "2:12: a host name is missing after ','"},
    {H "host a.com, ,b.com\n", "2:13: a host name is missing after ','"},
    {H "host A.com\n", "2:6: host 'A.com' is not in normal form: write 'a.com'"},
    {H "host a b\n", "2:8: expected ',', 'off' or attributes, found 'b'"},
    {H "host a.com of\n", "2:12: expected ',', 'off' or attributes, found 'of' (did you mean 'off'?)"},
    {H "host a.com off x\n", "2:16: expected attributes or the end of the host line after 'off'"},
    {H "host a.com:080\n", "2:11: expected a port (':' and a number up to 65535 without leading zeros), found ':080'"},
    {H "host a.com:65536\n",
     "2:11: expected a port (':' and a number up to 65535 without leading zeros), found ':65536'"},
    {H "host a.com:\n", "2:11: expected a port (':' and a number up to 65535 without leading zeros), found ':'"},
    {H "host a.com:x\n", "2:11: expected a port (':' and a number up to 65535 without leading zeros), found ':x'"},
    {H "host *.a.com:80\n", "2:6: *. must be followed by a name without a port"},
    {H "host *.[::1]\n", "2:6: *. must be followed by a name without a port"},
    {H "host a_b?c\n", "2:9: 'a_b?c' is not a host name"},
    {H "host http://a.com/\n", "2:6: a host line takes name, name:port, *.name or any, not 'http://a.com/'"},
    {H "host [::g]\n", "2:6: '[::g]' is not a host name"},
    {H "host a.com, b.com, a.com\n", "2:6: the host line names a.com twice"},
    {H "host any, any\n", "2:6: the host line names any twice"},
    {H "host *.c, *.c\n", "2:6: the host line names *.c twice"},
    {H "host b\303\274cher.de\n", "2:7: byte 0xC3 is not ASCII: in a host write xn--..., elsewhere %C3"},
    {H "host *\n", "2:6: '*' is not a host name"},
    {H "host B%C3%BCcher.de\n", "2:6: host 'B%C3%BCcher.de' is not in normal form: write 'xn--bcher-kva.de'"},
    {B "order\n", "3:6: expected 'any' or 'keep', found the end of the line"},
    {B "order anny\n", "3:7: expected 'any' or 'keep', found 'anny' (did you mean 'any'?)"},
    {B "order any x\n", "3:11: expected the end of the order line, found 'x'"},
    {B "order any\norder any\n", "4:7: this block already has an order, in line 3"},
    {B "keep\n", "3:5: expected names like ?a,b or a template like /shop/{**}, found the end of the line"},
    {B "keep lang\n", "3:6: expected names like ?a,b or a template like /shop/{**}, found 'lang'"},
    {B "keep ?a on /x\n", "3:9: expected the end of the keep line, found 'on'"},
    {B "keep ?a [p=1]\n", "3:9: expected the end of the keep line, found '[p=1]'"},
    {B "keep /x?\n", "3:9: a condition allows any query: leave out the '?'"},
    {B "drp ?a\n",
     "3:1: expected a rule (a template, drop, only, erase, set, fold or sub), host, order or keep, found 'drp' (did "
     "you mean 'drop'?)"},
    {B "pin off drop ?a\n", "3:5: expected a rule (a template, drop, only, erase, set, fold or sub), found 'off'"},
    {B "pin\n", "3:4: expected a rule (a template, drop, only, erase, set, fold or sub), found the end of the line"},
    {B "frobnicate\n",
     "3:1: expected a rule (a template, drop, only, erase, set, fold or sub), host, order or keep, found 'frobnicate'"},
    {B "drop ?a\001\n", "3:8: control byte 0x01: write %01"},
    {B "drop ?\303\251\n", "3:7: byte 0xC3 is not ASCII: in a host write xn--..., elsewhere %C3"},
    {B "pin host\n", "3:5: expected a rule (a template, drop, only, erase, set, fold or sub), found 'host'"},
    {B "drop\n", "3:5: expected names like ?a,b or ;a,b, found the end of the line"},
    {B "drop a\n", "3:6: expected names like ?a,b or ;a,b, found 'a'"},
    {B "drop ?\n", "3:7: a name is missing (write a list of names without spaces)"},
    {B "drop ?a, b\n", "3:9: a name is missing (write a list of names without spaces)"},
    {B "drop ?a,,b\n", "3:9: a name is missing (write a list of names without spaces)"},
    {B "drop ?a=1\n", "3:8: a name cannot contain '='; to match one value write 'if =VALUE'"},
    {B "drop ?+a\n", "3:7: a rule cannot name a parameter that begins with + or !, or is '...'"},
    {B "drop ?!a\n", "3:7: a rule cannot name a parameter that begins with + or !, or is '...'"},
    {B "drop ?...\n", "3:7: a rule cannot name a parameter that begins with + or !, or is '...'"},
    {B "drop ?a#b\n", "3:8: a rule cannot name a parameter that contains ',' or '#'"},
    {B "drop ?a*b\n", "3:8: literal 'a*b' is not in normal form: write 'a%2Ab'"},
    {B "drop ?a&b\n", "3:8: '&' cannot be part of 'a&b': in a URL it would end it"},
    {B "drop ?a;b\n", "3:8: ';' cannot be part of 'a;b': in a URL it would end it"},
    {B "drop ;a/b\n", "3:8: '/' cannot be part of 'a/b': in a URL it would end it"},
    {B "drop ?a,b,a\n", "3:11: name 'a' appears twice"},
    {B "drop ?%61\n", "3:7: literal '%61' is not in normal form: write 'a'"},
    {B "drop ?a{x}\n", "3:8: literal 'a{x}' is not in normal form: write 'a%7Bx%7D'"},
    {B "drop ?a if\n", "3:11: expected '=' and a value, found the end of the line"},
    {B "drop ?a if x\n", "3:12: expected '=' and a value, found 'x'"},
    {B "drop ?a if =a&b\n", "3:14: '&' cannot be part of 'a&b': in a URL it would end it"},
    {B "drop ;a if =b/c\n", "3:14: '/' cannot be part of 'b/c': in a URL it would end it"},
    {B "drop ?a if =%7e\n", "3:13: literal '%7e' is not in normal form: write '~'"},
    {B "drop ?a if =*\n", "3:13: literal '*' is not in normal form: write '%2A'"},
    {B "drop ?a on\n", "3:11: expected a condition like /shop/{**}, found the end of the line"},
    {B "drop ?a on x\n", "3:12: expected a condition like /shop/{**}, found 'x'"},
    {B "drop ?a oon /x\n",
     "3:9: expected 'on', 'unless', attributes or the end of the line, found 'oon' (did you mean 'on'?)"},
    {B "drop ?a on /x on /y\n", "3:15: expected 'unless', attributes or the end of the line, found 'on'"},
    {B "drop ?a unless\n", "3:15: expected a condition like /shop/{**}, found the end of the line"},
    {B "drop ?a unles /x\n",
     "3:9: expected 'on', 'unless', attributes or the end of the line, found 'unles' (did you mean 'unless'?)"},
    {B "drop ?a unless /x on /y\n", "3:19: expected 'unless', attributes or the end of the line, found 'on'"},
    {B "erase ?a if =b\n", "3:10: 'if' works with drop only; to match one value write a template"},
    {B "set ?a\n", "3:5: expected ?name=value, found '?a'"},
    {B "set ;a=b\n", "3:5: expected ?name=value, found ';a=b'"},
    {B "set ?a,b=c\n", "3:5: set takes one parameter, without *"},
    {B "set ?a*=c\n", "3:5: set takes one parameter, without *"},
    {B "set ?a=b;c\n", "3:9: ';' cannot be part of 'b;c': in a URL it would end it"},
    {B "set\n", "3:4: expected ?name=value, found the end of the line"},
    {B "fold path\n", "3:6: expected 'case', found 'path'"},
    {B "fold case pth\n", "3:11: expected 'path', 'query' or 'names', found 'pth' (did you mean 'path'?)"},
    {B "fold case\n", "3:10: expected 'path', 'query' or 'names', found the end of the line"},
    {B "sub\n", "3:4: expected a text in double quotes, found the end of the line"},
    {B "sub a -> b\n", "3:5: expected a text in double quotes, found 'a'"},
    {B "sub \"a\" \"b\"\n", "3:9: expected '->', found '\"b\"'"},
    {B "sub \"a\" => \"b\"\n", "3:9: expected '->', found '=>' (did you mean '->'?)"},
    {B "sub \"a\n", "3:5: the closing '\"' is missing (for a space in a URL write %20)"},
    {B "sub \"a b\" -> \"c\"\n", "3:5: the closing '\"' is missing (for a space in a URL write %20)"},
    {B "sub \"a\"->\"b\"on /x\n", "3:13: a space is missing after the closing '\"'"},
    {B "sub \"^a\" -> \"b\"\n", "3:13: both texts must have the same anchors (for a literal ^ or $ write %5E or \\$)"},
    {B "sub \"a\" -> \"b$\"\n", "3:12: both texts must have the same anchors (for a literal ^ or $ write %5E or \\$)"},
    {B "sub \"\" -> \"b\"\n", "3:5: the first text is empty: it would match everywhere"},
    {B "sub \"a^b\" -> \"c\"\n", "3:7: ^ is allowed only at the start; elsewhere write %5E"},
    {B "sub \"a$b\" -> \"c\"\n", "3:7: $ is allowed only at the end; elsewhere write \\$"},
    {B "sub \"\\a\" -> \"c\"\n", "3:6: a backslash is allowed only before \" \\ ^ or $"},
    {B "sub \"a\\^\" -> \"c\"\n", "3:7: ^ never occurs after basic URL cleanup: write %5E"},
    {B "sub \"a\\\"b\" -> \"c\"\n", "3:7: \" never occurs after basic URL cleanup: write %22"},
    {B "sub \"a\" -> \"\\\\\"\n", "3:13: \\ never occurs after basic URL cleanup: write %5C"},
    {B "sub \"a*\" -> \"c\"\n", "3:7: literal 'a*' is not in normal form: write 'a%2A'"},
    {B "sub \"%2\" -> \"c\"\n", "3:8: literal '%2' is not in normal form: write '%252'"},
    {B "sub \"\\$%7e\" -> \"c\"\n", "3:8: literal '$%7e' is not in normal form: write '$~'"},
    {B "sub \"a\" -> \"b#c\"\n", "3:14: literal 'b#c' is not in normal form: write 'b%23c'"},
    {B "/x\n", "3:3: expected '=>', found the end of the line"},
    {B "/x -> /y\n", "3:4: expected '=>', found '->' (did you mean '=>'?)"},
    {B "/x =>\n", "3:6: expected a template, found the end of the line"},
    {B "/x => y\n", "3:7: expected a template, found 'y'"},
    {B "/x=>/y\n", "3:3: put spaces around '=>'"},
    {B "/x => /y on /z\n", "3:10: a template cannot be followed by 'on': put the condition into its left side"},
    {B "/x => /y z\n", "3:10: expected 'unless', attributes or the end of the line, found 'z'"},
    {B "HTTP://a.com/ => /\n", "3:1: scheme 'HTTP' is not in normal form: write it in lower case"},
    {B "http:x => /\n", "3:6: expected a path (/{**} is every path), found 'x'"},
    {B "//a.com => /\n", "3:8: expected a path (/{**} is every path), found nothing"},
    {B "///x => /\n",
     "3:3: a host name is missing after '//' (where a path begins with an empty segment, write its host, too)"},
    {B "//u@a.com/ => /\n", "3:3: a template cannot contain user names and passwords: they always stay as they are"},
    {B "//{h}/ => /\n", "3:3: " LABEL},
    {B "//*.b.com/ => /\n",
     "3:3: " LABEL},
    {B "//{h:int}.b.com/ => /\n", "3:3: " LABEL},
    {B "//{h}b.com/ => /\n", "3:3: " LABEL},
    {B "//{h}. => /\n", "3:3: " LABEL},
    {B "//x.{h}.b.com/ => /\n", "3:3: " LABEL},
    {B "//{h}.B.com/ => /\n", "3:7: host 'B.com' is not in normal form: write 'b.com'"},
    {B "//{h}.c.com/ => /\n", "3:3: host '*.c.com' is not in the host line above: a.com, *.b.com"},
    {B "//{h}.com/ => /\n", "3:3: host '*.com' is not in the host line above: a.com, *.b.com"},
    {B "/x => //{h}.b.com/\n", "3:10: {h} is not captured on the left side"},
    {B "/{h} => //{h|lower}.b.com/\n", "3:11: " LABEL},
    {B "only\n", "3:5: expected names like ?a,b or ;a,b, found the end of the line"},
    {B "only a\n", "3:6: expected names like ?a,b or ;a,b, found 'a'"},
    {B "only ?a if =b\n", "3:9: 'if' works with drop only; to match one value write a template"},
    {B "drop ?\n", "3:7: a name is missing (write a list of names without spaces)"},
    {H "host a.com [p=2]\n", "2:15: p must be a number from 0 to 1, not '2'"},
    {H "host a.com off [cert=a cert=b]\n", "2:24: attribute 'cert' appears twice"},
    {H "host a.com [cert=a] off\n", "2:20: attributes come last: move them to the end of the line"},
    {B "//A.com/ => /\n", "3:3: host 'A.com' is not in normal form: write 'a.com'"},
    {B "//a.com:0080/ => /\n",
     "3:8: expected a port (':' and a number up to 65535 without leading zeros), found ':0080'"},
    {B "//c.com/ => /\n", "3:3: host 'c.com' is not in the host line above: a.com, *.b.com"},
    {B "//b.com/ => /\n", "3:3: host 'b.com' is not in the host line above: a.com, *.b.com"},
    {B "/x => //B.com/\n", "3:9: host 'B.com' is not in normal form: write 'b.com'"},
    {B "/{**}/{**} => /\n", "3:7: a template can contain {**} only once"},
    {B "/a{**} => /\n", "3:3: {**} must be a whole segment of the path"},
    {B "/x?a={**} => /\n", "3:6: {**} must be a whole segment of the path"},
    {B "/./x => /\n", "3:2: segment '.' never occurs after basic URL cleanup: leave it out"},
    {B "/x => /a/../b\n", "3:10: segment '..' never occurs after basic URL cleanup: leave it out"},
    {B "/%7ea/%2f => /\n", "3:2: literal '%7ea' is not in normal form: write '~a'"},
    {B "/a|b => /\n", "3:3: literal 'a|b' is not in normal form: write 'a%7Cb'"},
    {B "/a#b => /\n", "3:3: literal 'a#b' is not in normal form: write 'a%23b'"},
    {B "/} => /\n", "3:2: literal '}' is not in normal form: write '%7D'"},
    {B "/{x => /\n", "3:2: '}' is missing (for a brace in a URL write %7B)"},
    {B "/{} => /\n", "3:3: expected a name of letters, digits and _ after '{' (for a brace in a URL write %7B)"},
    {B "/{1x} => /\n", "3:3: expected a name of letters, digits and _ after '{' (for a brace in a URL write %7B)"},
    {B "/{x-y} => /\n", "3:4: expected ':', '=', '|' or '}' after {x"},
    {B "/{x:itn} => /\n",
     "3:5: expected a class (int, hex, word, slug, uuid or date), found 'itn' (did you mean 'int'?)"},
    {B "/{x:} => /\n", "3:5: expected a class (int, hex, word, slug, uuid or date), found nothing"},
    {B "/{x|lower} => /\n", "3:4: a conversion is allowed on the right side only: write {x}"},
    {B "/{x} => /{x:int}\n", "3:12: a class is allowed on the left side only: write {x}"},
    {B "/{x} => /{x=a}\n", "3:12: a list is allowed on the left side only: write {x}"},
    {B "/{x} => /{x|lwer}\n",
     "3:13: expected a conversion (lower, upper, cap, decode, encode or int), found 'lwer' (did you mean 'lower'?)"},
    {B "/{x}{y} => /\n", "3:5: " ROW},
    {B "/{x}* => /\n", "3:5: " ROW},
    {B "/{x:date}{y} => /\n", "3:10: " ROW},
    {B "drop ?a on /{x:int}{y}\n", "3:20: " ROW},
    {B "/{x:int*0} => /\n", "3:9: expected a length from 1 to 255 after '*', found '0'"},
    {B "/{x:int*256} => /\n", "3:9: expected a length from 1 to 255 after '*', found '256'"},
    {B "/{x:int*04} => /\n", "3:9: expected a length from 1 to 255 after '*', found '04'"},
    {B "/{x:int*} => /\n", "3:9: expected a length from 1 to 255 after '*', found ''"},
    {B "/{x:int*4a} => /\n", "3:9: expected a length from 1 to 255 after '*', found '4a'"},
    {B "/{x:uuid*36} => /\n", "3:9: only int, hex, word and slug take a length: write {x:uuid}"},
    {B "/{x:itn*4} => /\n",
     "3:5: expected a class (int, hex, word, slug, uuid or date), found 'itn' (did you mean 'int'?)"},
    {B "/{x=} => /\n", "3:5: a value is missing: {x} never matches an empty text"},
    {B "/{x=a||b} => /\n", "3:7: a value is missing: {x} never matches an empty text"},
    {B "/{x=a|b|a} => /\n", "3:9: value 'a' appears twice"},
    {B "/{x=%7e} => /\n", "3:5: literal '%7e' is not in normal form: write '~'"},
    {B "/{x} => /{y}\n", "3:11: {y} is not captured on the left side"},
    {B "/x => /{**}\n", "3:7: {**} is on the right side but not on the left"},
    {B "/a?x={v=1;2} => /\n", "3:10: ';' cannot be part of '1;2': in a URL it would end it"},
    {B "/x?& => /\n", "3:4: a parameter name is missing"},
    {B "/x?a&&b => /\n", "3:6: a parameter name is missing"},
    {B "/x?=1 => /\n", "3:4: a parameter name is missing"},
    {B "/x?a=1 => /?...\n",
     "3:11: '...' is on the right side only: write it on both sides, on the left alone (other parameters "
     "go), or on neither"},
    {B "/x?...&a => /\n", "3:7: '...' must be last in a query"},
    {B "/x?a#1 => /\n", "3:5: write the first one without '#1'"},
    {B "/x?a#0 => /\n", "3:6: expected a number of at least 2 after '#', found '0'"},
    {B "/x?a#x=1 => /\n", "3:6: expected a number of at least 2 after '#', found 'x'"},
    {B "/x?a#02 => /\n", "3:6: expected a number of at least 2 after '#', found '02'"},
    {B "/x?a#99999999999 => /\n", "3:6: expected a number of at least 2 after '#', found '99999999999'"},
    {B "/x?+a=1 => /\n", "3:4: expected nothing but a name after '+', found '+a=1'"},
    {B "/x?!a#2 => /\n", "3:4: expected nothing but a name after '!', found '!a#2'"},
    {B "/x => /?+a\n", "3:9: +a, !a and a#2 are allowed only on the left side and in conditions"},
    {B "/x => /?!a\n", "3:9: +a, !a and a#2 are allowed only on the left side and in conditions"},
    {B "/x => /?a#2=1\n", "3:9: +a, !a and a#2 are allowed only on the left side and in conditions"},
    {B "/x?a&a=1 => /\n", "3:6: parameter 'a' appears twice (write its second occurrence as a#2)"},
    {B "/x?a#2&a#2=1 => /\n", "3:8: parameter 'a' appears twice (write its second occurrence as a#2)"},
    {B "/x?+a&a#2 => /\n", "3:7: + and ! mean every parameter 'a': it cannot be named again"},
    {B "/x?!a&a=1 => /\n", "3:7: + and ! mean every parameter 'a': it cannot be named again"},
    {B "/x?a={v};b={w} => /\n", "3:9: ';' cannot be part of ';b=': in a URL it would end it"},
    {B "/x?a,b=1 => /\n", "3:5: a rule cannot name a parameter that contains ',' or '#'"},
    {B "/x?{n}=1 => /\n", "3:4: literal '{n}' is not in normal form: write '%7Bn%7D'"},
    {B "/x?%61=1 => /\n", "3:4: literal '%61' is not in normal form: write 'a'"},
    {B "/x => /?a=1&a=2\n", "3:13: parameter 'a' appears twice"},
    {B "drop ?a on /x?\n", "3:15: a condition allows any query: leave out the '?'"},
    {B "drop ?a [p=.9\n", "3:9: ']' is missing at the end of the attributes"},
    {B "drop ?a []\n", "3:9: the attributes are empty: leave out the brackets"},
    {B "drop ?a [ ]\n", "3:9: the attributes are empty: leave out the brackets"},
    {B "drop ?a [p]\n", "3:10: expected an attribute like p=.99, found 'p'"},
    {B "drop ?a [=1]\n", "3:10: expected an attribute like p=.99, found '=1'"},
    {B "drop ?a [p=2]\n", "3:12: p must be a number from 0 to 1, not '2'"},
    {B "drop ?a [p=x]\n", "3:12: p must be a number from 0 to 1, not 'x'"},
    {B "drop ?a [p=]\n", "3:12: p must be a number from 0 to 1, not ''"},
    {B "drop ?a [n=-1]\n", "3:12: n must be a number from 0 to 10^15, not '-1'"},
    {B "drop ?a [neg=.]\n", "3:14: neg must be a number from 0 to 10^15, not '.'"},
    {B "drop ?a [save=1e3]\n", "3:15: save must be a number from 0 to 10^15, not '1e3'"},
    {B "drop ?a [n=9999999999999999]\n", "3:12: n must be a number from 0 to 10^15, not '9999999999999999'"},
    {B "drop ?a [n=1 n=2]\n", "3:14: attribute 'n' appears twice"},
    {B "drop ?a [p=.9] unless /x\n", "3:15: attributes come last: move them to the end of the line"},
    {B "drop ?a [k=a]b]\n", "3:13: a value cannot contain ']', which ends the attributes"},
    {B "drop ?a [k=a #x]\n", "3:9: ']' is missing at the end of the attributes"},
    {B "drop ?a [1=a]\n", "3:10: expected an attribute like p=.99, found '1=a'"},
};

static void names_place_and_fix_of_each_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(errors); i++) {
        dp_rules *r = new_rules();
        dp_error  err = {0};
        char      got[2048];
        assert_int_equal(DP_ESYNTAX, dp_rules_parse(r, "f", errors[i].text, strlen(errors[i].text), &err));
        snprintf(got, sizeof got, "%zu:%zu: %s", err.line, err.column, err.message);
        if (strcmp(got, errors[i].want) != 0)
            print_error("%s\n", errors[i].text);
        assert_string_equal(errors[i].want, got);
        assert_string_equal("f", err.file);
        assert_int_equal(DP_ESYNTAX, err.code);
        assert_int_equal(0, dp_rules_count(r));
        dp_rules_free(r);
    }
}

static void cuts_long_texts_in_messages(void **state)
{
    (void)state;
    dp_rules *r = new_rules();
    dp_error  err = {0};
    dp_buf    b = {0};
    dp_buf_c(&b, B "drop ?");
    for (size_t i = 0; i < 100000; i++)
        dp_buf_byte(&b, 'x');
    dp_buf_c(&b, "%7e\n");
    assert_int_equal(DP_ESYNTAX, dp_rules_parse(r, "f", b.p, b.n, &err));
    assert_int_equal(100007, err.column);
    assert_true(strlen(err.message) < 400);
    dp_buf_done(&b);
    dp_rules_free(r);
}

static bool count_errors(void *ctx, const dp_error *e)
{
    size_t *lines = ctx;
    lines[0]++;
    assert_true(lines[0] < 16);
    lines[lines[0]] = e->line;
    return true;
}

static void tells_of_every_bad_line_and_reads_the_others(void **state)
{
    (void)state;
    const char text[] = "host a.com\ndrop ?a\ndrp ?b\n# c\nhost A.com\n//x.com/ => /\n\norder no\ndrop ?c\nhost b.com\n"
                        "drop ?d\n//x.com/ => /\n";
    size_t     lines[16] = {0}, want[] = {5, 1, 3, 5, 8, 12};
    dp_rules  *r = new_rules();
    assert_int_equal(DP_OK, dp_rulefile_read(r, "f", dp_str_c(text), count_errors, lines));
    assert_memory_equal(want, lines, sizeof want);
    assert_int_equal(4, r->nrule); /* under a host line that is wrong, rules are read for their own sake */
    assert_int_equal(3, r->nblock);
    dp_rules_free(r);
}

static void a_refused_file_leaves_the_rules_as_they_were(void **state)
{
    (void)state;
    dp_rules *r = new_rules();
    dp_text  *before, *after;
    parse(r, B "drop ?a\n# end\n");
    assert_int_equal(DP_OK, dp_rules_print(&before, r));
    assert_int_equal(DP_ESYNTAX, dp_rules_parse(r, "g", H "host c.com\ndrop ?b\nkeep ?c\ndrp\n", 40, NULL));
    assert_int_equal(DP_OK, dp_rules_print(&after, r));
    assert_string_equal(dp_text_data(before), dp_text_data(after));
    assert_int_equal(1, dp_rules_count(r));
    dp_text_free(before);
    dp_text_free(after);
    dp_rules_free(r);
}

/* ---- the model --------------------------------------------------------------------------- */

static void assert_str(const char *want, dp_str got)
{
    dp_str w = dp_str_c(want);
    if (!dp_str_eq(w, got))
        fail_msg("'%.*s' is not '%s'", DP_FMT(got), want);
}

static void builds_blocks(void **state)
{
    (void)state;
    dp_rules *r = new_rules();
    parse(r, "dustpan-rules 1\nhost b.com:80, *.a.com\norder any\nkeep ?l,m*\nkeep /x?y=1\ndrop ?a\ndrop ?b\n"
             "host any off\ndrop ?c\n");
    assert_int_equal(2, r->nblock);
    dp_block *b = r->block[0];
    assert_int_equal(2, b->nscope);
    assert_str("b.com", b->scope[0].name);
    assert_int_equal(80, b->scope[0].port);
    assert_false(b->scope[0].wildcard);
    assert_str("a.com", b->scope[1].name);
    assert_true(b->scope[1].wildcard);
    assert_int_equal(-1, b->scope[1].port);
    assert_str("b.com:80, *.a.com", b->hosts);
    assert_str("*.a.com,b.com:80", b->key);
    assert_false(b->off);
    assert_int_equal(DP_ORDER_ANY, b->order);
    assert_int_equal(3, b->order_line);
    assert_int_equal(2, b->nkeep);
    assert_int_equal('?', b->keep[0].names.kind);
    assert_true(b->keep[0].names.v[1].prefix);
    assert_str("m", b->keep[0].names.v[1].text);
    assert_true(b->keep[1].tpl->open);
    assert_int_equal(5, b->keep[1].line);
    assert_int_equal(2, b->nrule);
    assert_ptr_equal(r->rule[1], b->rule[1]);
    assert_ptr_equal(b, b->rule[1]->block);
    assert_int_equal(7, b->rule[1]->line);
    assert_true(r->block[1]->off);
    assert_true(r->block[1]->scope[0].any);
    assert_int_equal(DP_ORDER_UNSET, r->block[1]->order);
    dp_rules_free(r);
}

static void builds_templates(void **state)
{
    (void)state;
    dp_rules *r = new_rules();
    parse(r, B "http://a.com:81/x{a:int}-{b=p|q}/{**}/?+c&d#2=&e&f={g}&... => https:/{a|upper}/*?h={g}-&...\n");
    const dp_rule     *x = r->rule[0];
    const dp_template *l = x->left, *t = x->right;
    assert_int_equal(DP_RULE_REWRITE, x->kind);
    assert_str("http", l->scheme);
    assert_str("a.com", l->host);
    assert_int_equal(81, l->port);
    assert_int_equal(3, l->nseg);
    assert_int_equal(1, l->glob);
    assert_int_equal(4, l->seg[0].n);
    assert_str("x", l->seg[0].v[0].text);
    assert_int_equal(DP_CLASS_INT, l->seg[0].v[1].cls);
    assert_str("-", l->seg[0].v[2].text);
    assert_int_equal(DP_CLASS_LIST, l->seg[0].v[3].cls);
    assert_int_equal(2, l->seg[0].v[3].nlist);
    assert_str("q", l->seg[0].v[3].list[1]);
    assert_int_equal(0, l->seg[2].n);
    assert_true(l->has_query && l->open);
    assert_int_equal(4, l->nquery);
    assert_int_equal(DP_QUERY_PRESENT, l->query[0].kind);
    assert_int_equal(DP_QUERY_VALUE, l->query[1].kind);
    assert_int_equal(2, l->query[1].k);
    assert_int_equal(0, l->query[1].pat.n);
    assert_int_equal(DP_QUERY_BARE, l->query[2].kind);
    assert_int_equal(1, l->query[2].k);
    assert_str("f", l->query[3].name);
    assert_str("https", t->scheme);
    assert_int_equal(0, t->host.n);
    assert_int_equal(-1, t->port);
    assert_true(t->glob == DP_NO_GLOB);
    assert_int_equal(DP_CONV_UPPER, t->seg[0].v[0].conv);
    assert_int_equal(DP_ITEM_STAR, t->seg[1].v[0].kind);
    assert_true(dp_rule_erases(x));
    dp_rules_free(r);
}

static void builds_rules(void **state)
{
    (void)state;
    dp_rules *r = new_rules();
    parse(r, B "likely drop ;a,b* if =v on /x unless /y unless /z [p=.5 by=text,fetch]\n"
               "sub \"^a\\$\" -> \"^b\"\npin set ?a=\nfold case query\n");
    const dp_rule *x = r->rule[0];
    assert_int_equal(DP_RULE_DROP, x->kind);
    assert_int_equal(DP_LIKELY, x->state);
    assert_int_equal(';', x->names.kind);
    assert_int_equal(2, x->names.n);
    assert_true(x->has_if);
    assert_str("v", x->value);
    assert_true(x->on && x->on->open && !x->on->has_query);
    assert_int_equal(2, x->nunless);
    assert_int_equal(2, x->nattr);
    assert_true(dp_rule_number(x, "p", 0) == .5);
    assert_true(dp_rule_number(x, "n", 7) == 7);
    assert_true(dp_rule_by(x, "text") && dp_rule_by(x, "fetch") && !dp_rule_by(x, "tex") && !dp_rule_by(x, ""));
    assert_str("drop ;a,b* if =v on /x unless /y unless /z", x->text);
    x = r->rule[1];
    assert_int_equal(DP_RULE_SUB, x->kind);
    assert_str("a$", x->alpha);
    assert_str("b", x->beta);
    assert_true(x->at_start && !x->at_end);
    assert_str("sub \"^a\\$\" -> \"^b\"", x->text);
    assert_int_equal(DP_PIN, r->rule[2]->state);
    assert_int_equal(0, r->rule[2]->value.n);
    assert_int_equal(DP_RULE_FOLD_QUERY, r->rule[3]->kind);
    dp_rules_free(r);
}

/* XXH64 of "example.com,www.example.com\ndrop ?sid,utm_*" and the like, computed elsewhere. */
static void ids_are_those_of_the_specification(void **state)
{
    (void)state;
    dp_rules *r = new_rules();
    parse(r, "dustpan-rules 1\nhost www.example.com, example.com\n  off drop  ?sid,utm_*  [n=1] # x\n"
             "host example.com,www.example.com\ndrop ?sid,utm_*\nhost any\ndrop ?fbclid\n");
    assert_true(0x195e483f1488d893 == dp_rules_id(r, 0));
    assert_true(0x195e483f1488d893 == dp_rules_id(r, 1));
    assert_true(0xa850a82513346f7c == dp_rules_id(r, 2));
    dp_rules_free(r);
}

/* ---- files ------------------------------------------------------------------------------- */

static void files_are_read_as_one(void **state)
{
    (void)state;
    dp_rules *r = new_rules();
    dp_text  *t;
    parse(r, H "host a.com\ndrop ?a\n# between\n");
    parse(r, H "# more\n");
    parse(r, H "host a.com\norder any\ndrop ?b\n# end\n");
    assert_int_equal(DP_OK, dp_rules_print(&t, r));
    assert_string_equal(H "host a.com\ndrop ?a\n# between\n# more\nhost a.com\norder any\ndrop ?b\n# end\n",
                        dp_text_data(t));
    assert_int_equal(1, r->block[0]->nrule);
    assert_ptr_equal(r->rule[0], r->block[0]->rule[0]);
    dp_text_free(t);
    dp_rules_free(r);
}

static void reads_files_and_says_why_it_cannot(void **state)
{
    (void)state;
    dp_rules   *r = new_rules();
    dp_error    err = {0};
    const char *path = dp_temp_write("a.rules", DP_STR(B "drop ?a\n"));
    assert_int_equal(DP_OK, dp_rules_read(r, path, &err));
    assert_int_equal(1, dp_rules_count(r));
    path = dp_temp_write("bad.rules", DP_STR(B "drp ?a\n"));
    assert_int_equal(DP_ESYNTAX, dp_rules_read(r, path, &err));
    assert_string_equal(path, err.file);
    assert_int_equal(3, err.line);
    assert_int_equal(DP_EIO, dp_rules_read(r, dp_temp_path("none"), &err));
    assert_string_equal("cannot open: No such file or directory", err.message);
    assert_int_equal(DP_EIO, dp_rules_read(r, "/", &err));
    assert_string_equal("cannot read: Is a directory", err.message);
    assert_int_equal(DP_EIO, dp_rules_read(r, "/", NULL));
    assert_int_equal(1, dp_rules_count(r));
    dp_rules_free(r);
}

/* ---- size and memory --------------------------------------------------------------------- */

enum { MANY = 50000 };

/* Append `form`, a printf format for one number, MANY times. */
static void repeat(dp_buf *b, const char *before, const char *form, const char *between, const char *after)
{
    dp_buf_c(b, before);
    for (unsigned i = 0; i < MANY; i++) {
        char one[64];
        snprintf(one, sizeof one, form, i);
        dp_buf_c(b, i ? between : "");
        dp_buf_c(b, one);
    }
    dp_buf_c(b, after);
}

static void long_lines_take_linear_time(void **state)
{
    (void)state;
    dp_rules *r = new_rules();
    dp_buf    b = {0};
    repeat(&b, H "host ", "h%u.com", ", ", "\n");
    repeat(&b, "drop ?", "n%u*", ",", "\n");
    repeat(&b, "//h49999.com/", "{c%u}", "/", " => ");
    repeat(&b, "/", "{c%u}", "-", "\n");
    repeat(&b, "/x?", "a%u=1", "&", " => /\n");
    repeat(&b, "/x?a&", "a#1%u=1", "&", "&... => /?...\n");
    repeat(&b, "/{x=", "v%u", "|", "} => /\n");
    repeat(&b, "fold case path ", "unless /%u", " ", " ");
    repeat(&b, "[", "k%u=", " ", "]\n");
    repeat(&b, "", "drop ?a on //h%u.com/\n", "", "");
    assert_false(b.failed);
    dp_error err = {0};
    if (dp_rules_parse(r, "f", b.p, b.n, &err))
        fail_msg("%zu:%zu: %s", err.line, err.column, err.message);
    assert_int_equal(6 + MANY, dp_rules_count(r));
    assert_int_equal(MANY, r->rule[5]->nunless);
    dp_buf_done(&b);
    dp_rules_free(r);
}

static void repeats_in_long_lists_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *before, *form, *between, *after;
    } lists[] = {
        {H "host ", "h%u.com", ", ", ", h1.com\n"},   {B "drop ?", "n%u", ",", ",n49999\n"},
        {B "/x?", "a%u=1", "&", "&a0=2 => /\n"},      {B "/{x=", "v%u", "|", "|v7} => /\n"},
        {B "drop ?a [", "k%u=1", " ", " k3=1]\n"},    {B "/", "{c%u}", "/", " => /{c50000}\n"},
    };
    for (size_t i = 0; i < DP_COUNT(lists); i++) {
        dp_rules *r = new_rules();
        dp_buf    b = {0};
        repeat(&b, lists[i].before, lists[i].form, lists[i].between, lists[i].after);
        assert_int_equal(DP_ESYNTAX, dp_rules_parse(r, "f", b.p, b.n, NULL));
        dp_buf_done(&b);
        dp_rules_free(r);
    }
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_buf b = {0};
    dp_buf_c(&b, "dustpan-rules 1 # h\nhost a.com, *.b.com, c.org:8080 # t\n# o\norder any # p\nkeep ?a,b* # q\n"
                 "keep /x\n# l\n/{a}/{b=1|2}/{**}?c={d}&... => /{a|lower}?...  [p=.9 n=3]  # c\n"
                 "drop ?a if =x on /y unless /z\nsub \"a\\$\" -> \"b\"\n# e\n");
    dp_buf_c(&b, "drop ?n0");
    for (int i = 1; i < 20; i++)
        dp_buf_printf(&b, ",n%d", i);
    dp_buf_c(&b, "\n/{x0}");
    for (int i = 1; i < 20; i++)
        dp_buf_printf(&b, "/{x%d}", i);
    dp_buf_c(&b, "?a0");
    for (int i = 1; i < 20; i++)
        dp_buf_printf(&b, "&a%d", i);
    dp_buf_c(&b, " => /{x1}\n");
    assert_false(b.failed);
    DP_EVERY_ALLOC_FAILURE
    {
        dp_rules *r = NULL;
        dp_text  *t = NULL;
        dp_error  err = {0};
        dp_err    e = dp_rules_new(&r);
        if (e == DP_OK)
            e = dp_rules_parse(r, "f", b.p, b.n, &err);
        if (e == DP_OK)
            e = dp_rules_print(&t, r);
        else if (r)
            assert_int_equal(0, dp_rules_count(r));
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_text_free(t);
        dp_rules_free(r);
    }
    dp_buf_done(&b);
}

static void errors_survive_every_allocation_failure(void **state)
{
    (void)state;
    static const char *const texts[] = {B "/%7e => /\n", H "host A.com\n", H "host a%41.com\n"};
    for (size_t i = 0; i < DP_COUNT(texts); i++) {
        DP_EVERY_ALLOC_FAILURE
        {
            dp_rules *r = NULL;
            dp_err    e = dp_rules_new(&r);
            if (e == DP_OK)
                e = dp_rules_parse(r, "f", texts[i], strlen(texts[i]), NULL);
            assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_ESYNTAX, e);
            dp_rules_free(r);
        }
    }
}

static void loading_survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("a.rules", DP_STR(B "drop ?a\n"));
    DP_EVERY_ALLOC_FAILURE
    {
        dp_rules *r = NULL;
        dp_err    e = dp_rules_new(&r);
        if (e == DP_OK)
            e = dp_rules_read(r, path, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_rules_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_place_and_fix_of_each_error),
        cmocka_unit_test(cuts_long_texts_in_messages),
        cmocka_unit_test(tells_of_every_bad_line_and_reads_the_others),
        cmocka_unit_test(a_refused_file_leaves_the_rules_as_they_were),
        cmocka_unit_test(builds_blocks),
        cmocka_unit_test(builds_templates),
        cmocka_unit_test(builds_rules),
        cmocka_unit_test(ids_are_those_of_the_specification),
        cmocka_unit_test(files_are_read_as_one),
        cmocka_unit_test_teardown(reads_files_and_says_why_it_cannot, dp_temp_remove),
        cmocka_unit_test(long_lines_take_linear_time),
        cmocka_unit_test(repeats_in_long_lists_are_found),
        cmocka_unit_test(survives_every_allocation_failure),
        cmocka_unit_test(errors_survive_every_allocation_failure),
        cmocka_unit_test_teardown(loading_survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
