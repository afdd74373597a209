"""fill_oscar.py - a product for each installed package, its section as category.
SPDX-License-Identifier: Apache-2.0
"""
import datetime
import decimal

import django
import material

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.db import transaction  # noqa: E402
from django.utils import timezone  # noqa: E402
from oscar.apps.catalogue.categories import create_from_breadcrumbs  # noqa: E402
from oscar.core.loading import get_model  # noqa: E402

transaction.set_autocommit(False)

Product, ProductClass, ProductCategory, Partner, StockRecord, Country, Review, Recommendation, Range = (
    get_model(*names.split(".")) for names in (
        "catalogue.Product", "catalogue.ProductClass", "catalogue.ProductCategory", "partner.Partner", "partner.StockRecord",
        "address.Country", "reviews.ProductReview", "catalogue.ProductRecommendation", "offer.Range"))

Country.objects.create(iso_3166_1_a2="DE", iso_3166_1_a3="DEU", iso_3166_1_numeric="276", printable_name="Germany", name="Germany",
                       is_shipping_country=True)
kind = ProductClass.objects.create(name="Package", slug="package", requires_shipping=True, track_stock=False)
partner = Partner.objects.create(name="Debian")
reader = get_user_model().objects.create(username="anna", email="anna@localhost", first_name="Anna")
offers = Range.objects.create(name="Small packages", slug="small-packages", is_public=True)
made, categories = {}, {}
for i, p in enumerate(material.packages(260)):
    product = Product.objects.create(product_class=kind, title=f"{p.name}: {p.summary}"[:120], upc=p.name, structure="standalone",
                                     description="".join(f"<p>{x}</p>" for x in p.text.split("\n\n")), rating=i % 6 or None)
    Product.objects.filter(pk=product.pk).update(date_created=timezone.now() - datetime.timedelta(days=i % 90, hours=i))
    made[p.name] = product
    breadcrumbs = f"{p.section} > {p.name[0].upper()}" if p.section in ("libs", "libdevel", "python", "perl") else p.section
    if breadcrumbs not in categories:
        categories[breadcrumbs] = create_from_breadcrumbs(breadcrumbs)
    ProductCategory.objects.create(product=product, category=categories[breadcrumbs])
    StockRecord.objects.create(product=product, partner=partner, partner_sku=p.name, price_currency="EUR", num_in_stock=i % 7,
                               price=decimal.Decimal(p.size % 90 + 1) + decimal.Decimal("0.99"))
    if p.size < 200:
        offers.add_product(product)
    if i % 3 == 0:
        Review.objects.create(product=product, user=reader, title=p.summary[:60], body=p.text[:300], score=i % 5 + 1, status=1)
    for j, name in enumerate(n for n in p.depends if n in made and n != p.name):
        if j < 3:
            Recommendation.objects.get_or_create(primary=product, recommendation=made[name], defaults={"ranking": j})
transaction.commit()
