"""Follow every link of a site: scrapy runspider spider.py -a start=URL

SPDX-License-Identifier: Apache-2.0
"""
from urllib.parse import urlsplit

import scrapy
from scrapy.linkextractors import LinkExtractor


class Site(scrapy.Spider):
    name = "site"

    def __init__(self, start, **options):
        super().__init__(**options)
        self.start_urls = [start]
        self.allowed_domains = [urlsplit(start).hostname]

    def parse(self, response):
        yield {"url": response.url, "title": response.css("title::text").get()}
        for link in LinkExtractor().extract_links(response):
            yield response.follow(link)
