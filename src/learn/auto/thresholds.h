/* learn/auto/thresholds.h - how much evidence is enough: every number by which `auto` believes something.
 *
 * Each says what it is, where it is asked, and why it is what it is.
 *
 * "tried": all that is recorded is that it was chosen together with the others on sites of their own (generator seeds
 * 111 to 115, split seeds 11 to 15; docs/results/auto.txt was measured on others). A commit in brackets has figures.
 * Numbers that only bound the work, MOST_..., stand where they are used. What all methods share is in judge/bound.h.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_THRESHOLDS_H
#define DP_LEARN_AUTO_THRESHOLDS_H

#include "judge/bound.h"

/* ---- proposing (propose/lexicon.c, rounds/round.c) -------------------------------------- */

/* A word is part of how the site is built when so many pages have it, and no argument: one in WORD_SHARE, at least
 * WORD_LEAST, at most WORD_MOST. Tried. */
#define DP_WORD_SHARE 200
#define DP_WORD_LEAST 3
#define DP_WORD_MOST  20

/* The share of pages that have a word without which it is no form of its own that others are led to
 * (propose/template.c: is_one_of_many): /@anna/{x} is not written as /book/{x} because one page has both. Tried. */
#define DP_OWN_FORM .2

/* The share of pages that have a word which is part of every URL of its kind (propose/template.c: is_function): color
 * in /list/color/red. Others are tried as fields, too: nine sections are one rule. Tried. */
#define DP_FRAME_WORD .35

/* Pages that must propose an idea (choose_ideas), and that must have several forms before anybody is asked
 * (is_open): few of the many ideas have more than one (2f5fc7f). What other sites speak well of is as good as that
 * (priors/own_site.c). */
#define DP_LEAST_PROPOSERS 2

/* The chance that a construct which holds at the root of a site holds in its languages, too, and the other way round
 * (propose/mirror.c). Not tried. */
#define DP_MIRRORED .9

/* The share of forms above which the one language that they begin with is no copy of the site: it is the site
 * (propose/mirror.c). Not tried. */
#define DP_ONE_LANGUAGE .8

/* Values that are named together as defaults, ?sort=date&dir=desc, at most (propose/query.c): more are one URL of one
 * page. Not tried. */
#define DP_DEFAULTS 4

/* ---- a rule that holds (rounds/round.c: passes, holds) ---------------------------------- */

/* Votes for it, which wrong labels divide; and for what a condition leaves of it (confine.c). Tried. */
#define DP_LEAST_WINS 2.5

/* Pages that gain by it, and merges. Three merges do where there were to be four (b2d08fc). */
#define DP_LEAST_CLUSTERS 3
#define DP_LEAST_GOOD     3

/* A site of fewer URLs may do with one less of each of the three, where other sites say what to expect: it has no
 * more of them (b2d08fc: F1 of small hosts .791 to .814). */
#define DP_SMALL_SITE 500

/* Votes of the site itself without which other sites carry no rule that is in force (has_own_vote): sites that
 * anybody can put up must not decide alone (a84c6b1). */
#define DP_OWN_VOTE .5

/* Values, not empty, of a dropped name in which forms of one page must have differed (vote/parts.c): with one, nothing
 * is known of its others. Of 41 wrong merges on 80 mixed sites 30 came of names of which only the empty value had been
 * forgotten. */
#define DP_PART_VALUES 2

/* Names that must have come and gone on pages of their own before all but some may go (propose/only.c, vote/rest.c): a
 * list of them would say nothing of the next. */
#define DP_COUNTLESS_NAMES 12

/* Groups in which a value of a forgotten component stands for another page, and none in which it does not, from which
 * on the component matters (vote/parts.c): once may be a wrong label. */
#define DP_VALUE_AGAINST 2

/* Forms of a page that have nothing in common where the rest of the path is forgotten (vote/parts.c):
 * color/red/size/9 and size/9/color/red show nothing of other colors. As many as pages that a rule needs. */
#define DP_STRANGE_RESTS 3

/* URLs of an extension, or without one, from which on a rule that forgets it must have been seen to (vote/tails.c): one
 * may be a slip. Not tried with others. */
#define DP_TAIL_FORMS 2

/* Bytes of a rule's text that one merge is worth, when ideas are compared (round.c: worth_of): a list of values or an
 * exception must save something. Tried. */
#define DP_BYTES_PER_MERGE 16

/* The chance, before anything is counted, that an idea is valid which forgets components and leaves all pages that it
 * changes their identity, LEAST_CLUSTERS of them or more (round.c: precision): three votes are enough then, as they are
 * for a template. Of 200 mixed sites 9 more were solved, 1 fewer. Of parameters only where the pages have an id that no
 * other page has: what ?do=edit shows has the id of its page, too. */
#define DP_KEEPS_IDENTITY .8

/* ---- guards (vote/guard.c, rounds/) ----------------------------------------------------- */

/* What a vote against a guarded rule counts, and how much more evidence it needs (b02dd21, in reviews, too). Tried. */
#define DP_GUARD_FACTOR 10

/* The same where pairs differ in small numbers of parameters alone, which may be page numbers: five votes. Most of them
 * are none (?replyto=3, ?f=7), and where they are, other pages of the same lists speak against the rule: then what is
 * left of it needs ten (hyperkitty: 11 pages lost to "drop ?page" with exceptions and 7 votes; ?f of a forum had 15).
 * One number set for another, ?count=50 for ?count=100, is then guarded as all else: short lists are equal at any
 * length (hyperkitty: promise .99 kept on 5 of 7 splits for 3, 70.9 % saved for 72.3).
 */
#define DP_NUMBER_FACTOR 2.5
#define DP_PAGING_FACTOR 5

/* Digits of a text that is an id of one page, for the guard of ids and in the forms of sinks: dates have four, or eight
 * that the guard of dates knows. Not tried. */
#define DP_ID_DIGITS 6

/* Pairs that differ in nothing else, as a share of those that the idea merges, above which it is guarded: most. */
#define DP_GUARDED_PAIRS .5

/* Votes for a guarded rule: ten times what the smallest site may do with. Eighty were too many, a folder that is not
 * translated stayed (b02dd21); twenty give live-docs F1 .932 for .905 (f7e3ee9). */
#define DP_GUARDED_WINS 20

/* Votes for a value that a guarded rule names, or a condition of it: ten times what others need in all. With fewer, 22
 * pages that were imported in one second made a rule (0b93971). One vote in GUARDED_AGAINST may be against it
 * (confine.c: holds_for). Sections with so many by themselves took site-networkx from .9476 to .9523 (5ccf9ba). */
#define DP_GUARDED_PART    30
#define DP_GUARDED_AGAINST 100

/* ---- conditions (confine/, rounds/round.c) ---------------------------------------------- */

/* Votes against a rule that make it worth a look: against an idea that holds, to carve a part out of it
 * (refine_one); against a value, to make it an exception (choose_exceptions); against an accepted rule
 * (rounds/lookback.c). Tried. */
#define DP_WORTH_A_LOOK .75

/* The share of its votes that an idea must keep when a part is carved out of it (is_better). Tried. */
#define DP_CARVE_KEEPS .8

/* Groups that must speak for a value of a condition: what one page has alone is no context (holds_for,
 * choose_spoken). */
#define DP_LEAST_GROUPS 2

/* Votes for each value of a component that make it a division of the site: where there are fewer, and more than one in
 * PART_AGAINST is against the idea, one vote against a value is no exception, since each vote has nearly a value of its
 * own (choose_exceptions). Three is what a rule needs. */
#define DP_VOTES_PER_VALUE 3

/* One vote in so many may be against a value for which an idea holds (holds_for). Tried. */
#define DP_PART_AGAINST 10

/* Nats that a condition must explain beyond precision alone; below SURE_GAIN it may be there by accident and costs
 * half of the prior (confine.c: dp_context_split, put). Tried. An exception must also explain more than naming one
 * of so many values says: 5 % wrong labels F1 .966 to .977 (f3277b3). */
#define DP_LEAST_GAIN 2
#define DP_SURE_GAIN  4

/* Votes for a rule that one against is worth, when conditions are compared (by_gain), and merges that a wrong one is
 * worth, when ideas are (round.c: worth_of). Tried. */
#define DP_VOTE_AGAINST 20

/* The share of groups that must have a feature which all evidence has, but for wrong labels; what each of the others
 * costs, in nats (context.c, confine.c: by_accident). Tried. */
#define DP_MOST_OF_ALL  .93
#define DP_NATS_WITHOUT 3.0

/* The chance that all evidence has a feature by accident, below which a rule is narrowed to it (narrow_to_one).
 * Tried. */
#define DP_BY_ACCIDENT .01

/* Groups that should have spoken for a rule in a section where none does (choose_silent), and ln n more where a
 * component has n values: one of so many is silent by accident. Without that 2 of 120 mixed sites had needless
 * exceptions; hard sites lose nothing. */
#define DP_SILENCE 4

/* Nats by which it is strange that nothing speaks for a rule in a section (choose_unspoken): one section of ten is
 * another world. Where a component has n values, ln n more: one of many is as strange by accident (39be32d). With
 * LESS_NOISE wrong merges of hard sites went from 103 to 78 (b635b24). */
#define DP_TOO_STRANGE 2.3

/* The share of what a rule fires on above which a value is no section that could be spared (choose_unspoken). Tried. */
#define DP_MOST_OF_RULE .5

/* URLs with one value of a dropped parameter, none with a vote, from which on it is left out (confine.c:
 * choose_unheard): as many as pages that a rule needs. Of 182 splits of 13 crawls one more kept a promise of .99, and
 * nothing else changed. */
#define DP_UNHEARD_VALUE 3

/* ---- sinks (rounds/sinks.c) ------------------------------------------------------------- */

/* The chance that a form which has shown one page so far always does, before anything is counted: as for any rule of
 * which nothing is known (DP_FIRST_IDEAS). Each part that had to be added to the first halves it, as conditions do. */
#define DP_SINK_PRIOR .5

/* Values of a part that must be seen before it is erased; more where --min-precision asks for more, ten or eleven for
 * .99. No more than MOST are ever asked for. Three is what every rule needs (DP_LEAST_GOOD). */
#define DP_SINK_LEAST 3
#define DP_SINK_MOST  100000

/* Parts that may be added to the form of a sink, the first included (propose/sink.c): each must be paid for. Not
 * tried. */
#define DP_SINK_STEPS 4

/* ---- hosts (vote/hosts.c) --------------------------------------------------------------- */

/* Hosts that speak for a rule, with none against, after which it is written for all of the site. Tried. */
#define DP_ENOUGH_HOSTS 3

/* ---- accepted rules (rounds/lookback.c) ------------------------------------------------- */

/* Expected precision below which an accepted rule is taken back. Tried. Rules of a part, guarded ones and those that
 * other sites carry must keep --min-precision. What may hold by accident is left out below it whatever the other rules
 * promise (promise.c): of 182 splits of 13 crawls 96 % kept a promise of .99, for 94.5 %, and 62.2 % was saved, for
 * 62.6. */
#define DP_REVOKE_BELOW .9

/* The share of its votes that a rule must keep with all others in force; where it keeps fewer they were others', and
 * what is left must be enough for a small site's rule (LEAST_WINS less one). Not tried with other values. */
#define DP_BORROWED .5

/* Rules that hold by accident are left out when so many times the wrong merges that are promised at most are expected
 * (rounds/promise.c). Of 182 splits of 13 crawls 92.3 % kept a promise of .99 with 2, saving 64.5 %; 94.0 and 63.2 with
 * 1.5; 95.1 and 60.1 with 1. */
#define DP_PROMISE_SHARE 1.5

/* ---- a part of the site (rounds/rounds.c) ----------------------------------------------- */

/* Votes below which a rule might as well not have been found, and a value of a list was chosen for its votes alone
 * (confine.c: choose_values): where many have so few, about as many have not enough
 * (Good and Turing). The share of rules that may have no more: redirects-sqldocs .9279 to .9294 (6d0f0ae). */
#define DP_JUST_ENOUGH 6
#define DP_FEW_SCARCE  .2 /* of the first part; of the second, which is three times as large, all may */

/* The share of pages that the rules of a part may leave open, of the first and of the second: redirects-sqldocs
 * .9240 to .9291 with a tenth (721a748). To it comes twice the noise, since a page with a wrong label stays open, up
 * to a half. */
#define DP_FEW_OPEN      .1
#define DP_HALF_OPEN     .5
#define DP_OPEN_BY_NOISE 2

/* ---- trust (vote/trust.c) --------------------------------------------------------------- */

/* Wrong votes and votes before anything is seen: as DP_USUAL_NOISE. */
#define DP_FIRST_WRONG .1
#define DP_FIRST_VOTES 5

/* Ideas before anything is seen: half of them valid, the others of any precision. Of hosts, orders of parameters and
 * index files (the trailing slash, too) most are: .95 to .99 of 1,340 such ideas on 120 mixed sites, the kinds of the
 * atlas, planted sites with traps and with 5 % wrong labels, two real ones; of no other family on all of these. */
#define DP_FIRST_IDEAS 4
#define DP_FIRST_VALID .5
#define DP_FIRST_SAFE  .9

/* What was seen on other sites counts for so many ideas of a family, and so many votes of the noise. It was eight
 * ideas before small sites learned more from others (b2d08fc); contradicted sections of hard sites look like wrong
 * labels, so that a site's noise leans on that of the run (b635b24). */
#define DP_PRIOR_IDEAS 30
#define DP_PRIOR_VOTES 100

/* The share of valid ideas in a family lies between these. Tried. */
#define DP_LEAST_VALID .1
#define DP_MOST_VALID  .95

/* Times less noise that one idea may meet: at a noise of .1, 25 votes to 0 fell short of .99 (b635b24). */
#define DP_LESS_NOISE 4

/* Votes below which an idea says nothing of its family (observe), and from which on it tells something of the noise
 * by itself: no more than what the cleanest such idea met, and two standard deviations and CLEAN_VOTES more
 * (most_noise). Tried; that there is such a limit: version folders were taken for .07 of noise where a rule had
 * 1,132 votes and none against (b02dd21). */
#define DP_FEW_VOTES   3
#define DP_MANY_VOTES  30
#define DP_CLEAN_SIGMA 2
#define DP_CLEAN_VOTES 4

/* The same of all accepted rules together, whose votes hardly overlap: none against of n is, at 95 %, three of n at
 * most (dp_trust_check). Below EXACT_LABELS, three hundred votes without one against, no vote is excused by wrong
 * labels: an accepted rule must keep --min-precision (rounds/lookback.c). */
#define DP_NONE_OF_MANY 3
#define DP_EXACT_LABELS .01

/* The same, below which ideas that merge anything wrongly are looked at behind those that do not (round.c:
 * is_contradicted): a hundred votes without one against. */
#define DP_FEW_WRONG .03

/* The precision of ideas that are not valid is Beta(a, b), a and b between these: what is nearly always right
 * belongs to the spike. Tried. */
#define DP_SLAB_LEAST_A .3
#define DP_SLAB_MOST_A  1
#define DP_SLAB_LEAST_B 1
#define DP_SLAB_MOST_B  10

/* ---- other sites (priors/) -------------------------------------------------------------- */

/* URLs that have a name, and names that begin alike, before it is judged (own_site.c: is_common): several have
 * something in common. */
#define DP_LEAST_NAMED 2

/* Chance that a name may be dropped below which nobody is helped by it (own_site.c: pick). */
#define DP_WORTH_HEARING .5

/* URLs of a site that are enough to tell others something (own_site.c, rounds/rounds.c). Tried. */
#define DP_SURVEYED 250

/* Sites that count at most (other_sites.c: chance_of). Tried. */
#define DP_OTHER_SITES_SITES 64

/* The least odds of each class of votes on a name; those from the third on speak for it, with 1, 2, 4, 9 and 40
 * votes that nobody contradicts. What lies between says nothing (other_sites.c: class_of). */
#define DP_OTHER_SITES_LEAST_ODDS {.01, .2, 1.9, 2.8, 4.5, 8, 18}

#endif
