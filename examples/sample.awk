# sample.awk - a crawl of six made-up sites, and their access log, for quickstart.sh.
#
#     awk -v log_file=access.log -f sample.awk >crawl.tsv        cluster <TAB> URL: URLs of one cluster show the same page
#
# The sites do what such sites do: two shops, a wiki, a forum, a magazine and a library catalogue. Each has parameters and
# paths that do not matter (sessions, campaigns, slugs, old addresses), and others that do (page numbers, sizes,
# languages, versions): a rule that forgets these loses pages. Same bytes on every machine.
# SPDX-License-Identifier: Apache-2.0

# A whole number from 0 to n-1.
function draw(n) {
    seed = (seed * 16807) % 2147483647
    return int(seed / 2147483647 * n)
}

function one_of(list) { return list[1 + draw(list[0])] }

function words(list, text,    n) {
    n = split(text, list, " ")
    list[0] = n
}

function hex(n,    s) {
    s = ""
    while (n-- > 0)
        s = s substr("0123456789abcdef", 1 + draw(16), 1)
    return s
}

function capital(word) { return toupper(substr(word, 1, 1)) substr(word, 2) }

# The URL of the page that begin() named.
function put(url) {
    print page "\t" url
    if (!(page in size))
        size[page] = 4000 + draw(60000)
    url_of[++urls] = url
    page_of[urls] = page
}

function begin(name) { page = name }

# A URL with one more pair.
function with(url, pair) { return url (index(url, "?") ? "&" : "?") pair }

# Campaigns and sessions, as newsletters, advertisements and scripts add them: 0 to 3 more URLs of the page.
function campaigns(url,    n) {
    for (n = draw(4); n > 0; n--) {
        if (draw(3) == 0)
            put(with(url, "utm_source=" one_of(sources) "&utm_medium=" one_of(media) "&utm_campaign=" one_of(seasons) "-" (2021 + draw(4))))
        else if (draw(2))
            put(with(url, "fbclid=IwAR" hex(16)))
        else
            put(with(url, "gclid=Cj0" hex(12)))
    }
}

# A shop whose products have a number and a slug that does not matter; colours do, and the pages of a list.
function shop(host, id,    slug, url, n, colour) {
    slug = one_of(looks) "-" one_of(materials) "-" one_of(furniture)
    url = "https://" host "/products/" id
    begin("shop" id)
    put(url "/" slug)
    if (draw(2))
        put(url)
    if (draw(2))
        put(url "/" one_of(materials) "-" one_of(furniture) "-" one_of(looks))
    for (n = draw(3); n > 0; n--)
        put(url "/" slug "?sessionid=" hex(20))
    campaigns(url "/" slug)
    for (n = draw(3); n > 0; n--) {
        colour = one_of(colours)
        if ((id, colour) in sold)
            continue
        sold[id, colour]
        begin("shop" id colour)
        put(url "/" slug "?colour=" colour)
        put(url "/" slug "?colour=" colour "&sessionid=" hex(20))
    }
}

# A shop with an old address for each book; a sorted list is a page of its own.
function books(host, id,    title, url) {
    title = one_of(looks) "-" one_of(nature) "-" one_of(nature)
    url = "http://" host "/" title "/dp/B0" id
    begin("book" id)
    put(url)
    put("http://" host "/gp/product/B0" id)
    if (draw(2))
        put(url "?ref=sr_1_" draw(20))
    if (draw(2))
        put(url "?ref=nav_" one_of(sources))
    if (draw(3) == 0) {
        begin("reviews" id)
        put("http://" host "/product-reviews/B0" id "?pageNumber=1")
        begin("reviews2" id)
        put("http://" host "/product-reviews/B0" id "?pageNumber=2")
    }
}

# A wiki: every article by its path and by index.php; its history and old versions are other pages.
function wiki(host, n,    title, url) {
    title = capital(one_of(nature)) "_" one_of(places) "_" n
    url = "https://" host "/wiki/" title
    begin("wiki" n)
    put(url)
    put("https://" host "/w/index.php?title=" title)
    if (draw(2))
        put("https://" host "/w/index.php?title=" title "&action=view")
    begin("history" n)
    put("https://" host "/w/index.php?title=" title "&action=history")
    begin("old" n)
    put("https://" host "/w/index.php?title=" title "&oldid=" (70000 + 13 * n))
}

# A forum: topics with a session, in two orders of parameters, and on several pages that differ.
function forum(host, id,    start, last, url) {
    last = draw(4)
    for (start = 0; start <= last; start++) {
        begin("topic" id "." start)
        url = "https://" host "/viewtopic.php?f=" (1 + id % 9) "&t=" id
        if (start)
            url = url "&start=" (20 * start)
        put(url)
        if (draw(3))
            put(url "&sid=" hex(32))
        if (draw(2))
            put(url "&sid=" hex(32))
        if (draw(2))
            put("https://" host "/viewtopic.php?t=" id "&f=" (1 + id % 9) (start ? "&start=" (20 * start) : ""))
    }
}

# A magazine: with and without www., with and without a slash at the end, a print view, languages that differ.
function magazine(host, id,    path, url) {
    path = "/" (2019 + id % 6) "/" sprintf("%02d", 1 + id % 12) "/" one_of(verbs) "-" one_of(nature) "-in-" one_of(places) "-" id
    url = "https://" host path
    begin("story" id)
    put(url)
    put(url "/")
    put("https://www." host path)
    if (draw(2))
        put(url "?print=1")
    campaigns(url)
    if (draw(3) == 0) {
        begin("story" id "de")
        put(url "?lang=de")
        put("https://www." host path "?lang=de")
    }
}

# A catalogue: the session is in the path, and the first page of a list is the list.
function catalogue(host, id,    url) {
    url = "http://" host "/record/" id
    begin("record" id)
    put(url)
    put(url ";jsessionid=" toupper(hex(32)))
    if (draw(2))
        put(url ";jsessionid=" toupper(hex(32)))
    if (draw(2))
        put(url "/index.html")
    if (draw(3) == 0) {
        begin("holdings" id)
        put(url "/holdings")
        put(url "/holdings;jsessionid=" toupper(hex(32)))
    }
}

# One request of the log, for any URL of the crawl.
function request(second,    i, url, at, host, port, client) {
    i = 1 + draw(urls)
    url = url_of[i]
    port = url ~ /^https/ ? 443 : 80
    sub(/^https?:\/\//, "", url)
    at = index(url, "/")
    host = substr(url, 1, at - 1)
    client = 1 + draw(agents)
    printf "%s:%d 192.0.2.%d - - [%02d/May/2024:%02d:%02d:%02d +0000] \"GET %s HTTP/2.0\" 200 %d \"-\" \"%s\"\n", host, port,
        client * 16 + draw(16), 1 + int(second / 86400), int(second / 3600) % 24, int(second / 60) % 60, second % 60,
        substr(url, at), size[page_of[i]], agent[client] >log_file
}

BEGIN {
    seed = 20240501
    words(looks, "small large round tall old modern rustic slim heavy folding antique plain")
    words(materials, "oak walnut pine steel glass linen leather bamboo marble brass")
    words(furniture, "chair table lamp shelf desk stool sofa mirror cabinet bench bed clock")
    words(colours, "red blue green black white grey")
    words(nature, "river forest heron oak otter meadow harbour winter salmon lantern island orchard falcon glacier valley")
    words(places, "Bergen Lisbon Leeds Porto Galway Turin Malmo Ghent Bristol Dresden Tartu Ljubljana")
    words(verbs, "saving finding walking painting building watching feeding sailing")
    words(sources, "newsletter google twitter partner instagram")
    words(media, "email cpc social banner")
    words(seasons, "spring summer autumn winter sale")
    agents = split("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)|" \
        "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)|CCBot/2.0 (https://commoncrawl.org/faq/)|" \
        "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0|" \
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148|" \
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36", agent, "|")
    for (i = 0; i < 800; i++) {
        shop("shop.furniture.example", 10417 + 7 * i)
        books("www.bookshop.example", 41700 + 11 * i)
        wiki("wiki.rivers.example", 1 + i)
        forum("forum.cycling.example", 2200 + 3 * i)
        magazine("magazine.example", 5100 + i)
        catalogue("catalogue.library.example", 93000 + 5 * i)
    }
    for (i = 0; i < 30000; i++)
        request(i * 20)
}
