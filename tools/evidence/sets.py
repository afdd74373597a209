"""sets.py - the labelled sets of ../shared/data that evidence is measured on.

SPDX-License-Identifier: Apache-2.0
"""

# Where each lies in that folder.
REAL = {
    "live-docs": "live-docs/clusters.tsv.gz", "live-dokuwiki": "live-dokuwiki/clusters.tsv.gz",
    "redirects-sqldocs": "redirects-sqldocs/clusters.tsv.gz", "redirects-githubdocs": "redirects-githubdocs/clusters.tsv.gz",
    "redirects-mdn": "redirects-mdn/clusters.tsv.gz", "crawl-netarchive": "crawl-netarchive/clusters.tsv.gz",
    "newrelic": "urls-archived-hosts/blog.newrelic.com.silver.tsv.gz", "networkx": "site-networkx/index.cdxj.gz",
}

# A learner cannot know that two domains have one owner, and does not merge them without a word; the papers' methods do.
OWNERS = {"live-docs": "127.0.0.1 localhost\n"}
