/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/beta.h"

#include <float.h>
#include <math.h>

#define LN_SQRT_2PI 0.918938533204672741780329736406

/* ln z! - ln of Stirling's formula for it, z > 0. */
static double stirling_error(double z)
{
    if (z < 16) {
        int sign;
        return lgamma_r(z + 1, &sign) - (z + 0.5) * log(z) + z - LN_SQRT_2PI;
    }
    double zz = z * z;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - (1.0 / 1188) / zz) / zz) / zz) / zz) / z;
}

/* x ln(x/m) + m - x without cancellation where x is close to m. */
static double deviance(double x, double m)
{
    if (fabs(x - m) >= 0.1 * (x + m))
        return x * log(x / m) + m - x;
    double v = (x - m) / (x + m), s = (x - m) * v, term = 2 * x * v;
    for (int j = 1; j < 1000; j++) {
        term *= v * v;
        double next = s + term / (2 * j + 1);
        if (next == s)
            break;
        s = next;
    }
    return s;
}

double dp_binomial_log(double s, double n, double p)
{
    double f = n - s, q = 1 - p;
    if (p <= 0)
        return s > 0 ? -INFINITY : 0;
    if (q <= 0)
        return f > 0 ? -INFINITY : 0;
    if (s <= 0)
        return n * log1p(-p);
    if (f <= 0)
        return n * log(p);
    return stirling_error(n) - stirling_error(s) - stirling_error(f) - deviance(s, n * p) - deviance(f, n * q) +
           0.5 * (log(n) - log(s) - log(f)) - LN_SQRT_2PI;
}

/* The continued fraction of the incomplete beta function by Lentz's method; it takes about
 * sqrt(max(a, b)) steps where x < (a + 1) / (a + b + 2). */
static double fraction(double a, double b, double x)
{
    const double tiny = DBL_MIN / DBL_EPSILON;
    double       c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double h = d;
    for (int i = 1; i < 1000000; i++) {
        double m = i, even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        h *= d * c;
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        h *= d * c;
        if (fabs(d * c - 1) < 4 * DBL_EPSILON)
            break;
    }
    return h;
}

double dp_beta_below(double a, double b, double x)
{
    if (!(x > 0))
        return 0;
    if (x >= 1)
        return 1;
    /* x^a (1-x)^b / B(a, b) = ab/(a+b) times the chance of a in a+b */
    double front = exp(dp_binomial_log(a, a + b, x)) * (a * b / (a + b));
    if (x < (a + 1) / (a + b + 2))
        return front * fraction(a, b, x) / a;
    return 1 - front * fraction(b, a, 1 - x) / b;
}
