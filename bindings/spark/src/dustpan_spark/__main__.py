# SPDX-License-Identifier: Apache-2.0
import sys

from dustpan_spark.job import main

sys.exit(main())
