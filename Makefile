# dustpan - build, test, install. GNU make.
# SPDX-License-Identifier: Apache-2.0
#
#   make                    build/dustpan, build/libdustpan.a, build/libdustpan.so, build/plant   (CC=clang, BUILD=folder, V=1,
#                           WITHOUT="curl gumbo lmdb microhttpd": without these libraries)
#   make check              every test below; ./check installs the packages first
#   make lint format        house rules of the sources; repair their spacing
#   make unit prop cli web python spark install-check one kind of test (T=text: only those whose name holds it)
#   make golden             rewrite tests/cli/*.out and tests/golden/*/*/want.rules from what the command prints now
#   make learners           the learners against tests/golden/*/*/want.rules
#   make fuzz fuzz-replay   10 s a target; the committed inputs once
#   make fuzz-long          all targets in turn until they have run RUNS=100000000 times, over hours; goes on where it was
#                           stopped (X="url page": these alone); fuzz-merge X=url keeps the new inputs that matter
#   make bench bench-full   measure against others
#   make performance        the tables of docs/performance.md from bench/results.tsv
#   make evidence-twin      the long run of a test, written to docs/results/
#   make evidence-tables    the tables of KDD 2008 and WSDM 2010 on planted sets of their size (SHARE=.05: a twentieth; PART=why: one part)
#   make evidence-scale     learn on 10^5 to 10^7 planted URLs inside --memory (POWERS="5 6 7 8": to 10^8 in 4G)
#   make evidence-exchange  10^5 URLs through every exported form, by the tools themselves
#   make evidence-auto      our own learner against the others, its promises, its parts
#   make evidence-atlas     our own learner on kinds of duplicates that real software makes (where ../shared/atlas is)
#   make evidence-kinds     the same on kinds of our own, written anew (tools/plant/kinds.txt; SEEDS="1 2 3")
#   make evidence-certify   how often a certificate of learn --certify is wrong, by simulation (RUNS=1000 a row)
#   make evidence-probes    a parameter becomes meaningful in the middle of a crawl: when probes tell, what is lost (RUNS=20)
#   make evidence-promises  does --min-precision hold on real sites (LIVE=FOLDER: also on the crawls of make evidence-live)
#   make evidence-dust      the tables of DustBuster        make evidence-seq2seq   all methods side by side
#   make evidence-dust-logs its figures: several logs of a site, how many tests a rule needs
#   make evidence-dust-kinds its Figure 12: what kind duplicates are (LIVE=folder: also of the crawls of make evidence-live)
#   make evidence-live      crawl real web applications on loopback (tests/apps), every method on the crawls (APPS="fossil trac": only
#                           these; LIVE=folder; CRAWL=no: as they are in LIVE)
#   make evidence-logs      what is learned from access logs alone, against truth and on planted shops (LIVE=folder)
#   make evidence-waste     what rules could avoid on these crawls, what can be learned of it, what is learned (LIVE=folder)
#   make evidence-spark     learn on Spark against one machine (URLS=1000000)
#   make evidence-ablation  what the choices of the neural translator are worth
#   make evidence-units     the same by the number of its units (SIZES="64 128 512", LIMIT=480 seconds each; goes on where it was)
#   make install uninstall  PREFIX=/usr/local DESTDIR=
#   make static             build/static/dustpan: one file, no shared libraries
#   make dist               build/packages/dustpan-VERSION.tar.gz: what the last commit has; the same commit, the same bytes
#   make packages           that, the Debian packages, the static command, the wheel and a container image: all are built and
#                           tried, in build/packages (X="deb wheel": these alone; tools/pack/X.sh)
#
# Sources are found by name: a new file in src/, tests/, fuzz/ or bench/ needs no line here.

VERSION   := 0.1.0
SOVERSION := 0

ifeq ($(origin CC),default)
CC := gcc
endif
FUZZ_CC ?= clang
BUILD   ?= build
CFLAGS  ?= -O3
RUNS    ?= 100000000

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR    ?= $(PREFIX)/share

# ---- libraries: names for pkg-config, then those without a .pc file -----------------------------------

NEEDED     := libxxhash libpsl libidn2 zlib libzstd jansson libcrypto
LIBS       := -lbz2 -pthread -lm
TEST_PKGS  := cmocka
BENCH_PKGS := libpcre2-8

# Libraries that only some commands need, by their names here, for pkg-config, and the sources that use them. Where one is
# not found, or named in WITHOUT, src/absent/NAME.c stands in for these. OpenBLAS needs nothing to build.
OPTIONAL       := curl gumbo lmdb microhttpd openblas
WITHOUT        ?=
PC_curl        := libcurl
PC_gumbo       := gumbo
PC_lmdb        := lmdb
PC_microhttpd  := libmicrohttpd
USE_curl       := src/live/http.c src/live/curl.c
USE_gumbo      := src/content/html.c
USE_lmdb       := $(addprefix src/store/,lmdbfile.c pages.c rekey.c rollback.c seen.c seenkeys.c state.c)
USE_microhttpd := src/live/serve.c src/live/microhttpd.c
USE_openblas   := src/learn/seq2seq/blas.c
# These are loaded when they are needed (live/curl.h, live/microhttpd.h), so that only their headers are.
LOADED         := curl microhttpd
HAVE := $(foreach x,$(filter-out $(WITHOUT),$(OPTIONAL)),$(if $(PC_$(x)),$(shell pkg-config --exists $(PC_$(x)) && echo $(x)),$(x)))
LACK := $(filter-out $(HAVE),$(OPTIONAL))
PKGS := $(NEEDED) $(foreach x,$(filter-out $(LOADED),$(HAVE)),$(PC_$(x)))

ifeq ($(filter clean dist format lint performance uninstall,$(MAKECMDGOALS)),)
absent := $(shell pkg-config --print-errors --exists $(PKGS) 2>&1 || echo missing)
ifneq ($(absent),)
$(error $(absent) -- tools/packages.sh build installs what is needed)
endif
endif

PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) $(foreach x,$(filter $(LOADED),$(HAVE)),$(PC_$(x))) 2>/dev/null)
PKG_LIBS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null) $(LIBS)
test_libs   = $(shell pkg-config --libs $(TEST_PKGS))
bench_libs  = $(shell pkg-config --libs $(BENCH_PKGS))

# ---- sources -------------------------------------------------------------------------------------------

# Sources of a library that lacks $(1), names of OPTIONAL.
lacking      = $(filter-out $(foreach x,$(1),$(USE_$(x))),$(filter-out src/absent/%,$(ALL_SRC))) $(1:%=src/absent/%.c)
ALL_SRC     := $(sort $(filter-out src/cli/%,$(shell find src -name '*.c'))) $(BUILD)/gen/report_page.c $(BUILD)/gen/review_page.c
LIB_SRC     := $(call lacking,$(LACK))
CLI_SRC     := $(sort $(wildcard src/cli/*.c))
SUPPORT_SRC := $(sort $(wildcard tests/support/*.c))
TEST_SRC    := $(sort $(wildcard tests/unit/test_*.c tests/prop/prop_*.c))
FUZZ_SRC    := $(sort $(wildcard fuzz/fuzz_*.c))
BENCH_SRC   := $(sort $(wildcard bench/bench_*.c))
PLANT_SRC   := $(sort $(wildcard tools/plant/*.c))

# ---- flags ---------------------------------------------------------------------------------------------

WARN := -Wall -Wextra -Wshadow -Wconversion $(if $(WERROR),-Werror)
BASE := -std=c11 -D_GNU_SOURCE= -DDP_VERSION=\"$(VERSION)\" \
        -fPIC -fvisibility=hidden -pthread -Isrc -Iinclude -Itests $(PKG_CFLAGS)
SAN  := -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
# gcc warns wrongly under its own sanitizers; the release build, with -Werror in check, has the say.
QUIET := $(if $(findstring clang,$(CC)),,-Wno-maybe-uninitialized)
WRAP := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

# ---- variants: a folder with objects, libdustpan.a and libsupport.a, one compiler, one set of flags ----

# A file that changes only when the text given to it does.
stamp = @mkdir -p $(@D) && printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' >$@
# One short line a step; the whole command with V=1, nothing with -s.
quiet := $(findstring s,$(firstword -$(MAKEFLAGS)))
say    = $(if $(V),,@$(if $(quiet),,echo '  $(1)$(patsubst $(BUILD)/%,%,$@)';))

# $(call variant,folder,compiler,flags)
define variant
$(1)/flags: FORCE
	$$(call stamp,$(2) $(3))
$(1)/sources: FORCE
	$$(call stamp,$(LIB_SRC) $(CLI_SRC) $(SUPPORT_SRC))
$(1)/obj/%.o: %.c $(1)/flags
	$$(call say,CC   )mkdir -p $$(@D) && $(2) $(3) $$(EXTRA) -MMD -MP -c -o $$@ $$<
$(1)/libdustpan.a: $(LIB_SRC:%.c=$(1)/obj/%.o) $(1)/sources
	$$(call say,AR   )rm -f $$@ && ar rcs $$@ $$(filter %.o,$$^)
$(1)/libsupport.a: $(SUPPORT_SRC:%.c=$(1)/obj/%.o) $(1)/sources
	$$(call say,AR   )rm -f $$@ && ar rcs $$@ $$(filter %.o,$$^)
$(1)/dustpan: $(CLI_SRC:%.c=$(1)/obj/%.o) $(1)/libdustpan.a
	$$(call say,LINK )$(2) $(3) $(LDFLAGS) -o $$@ $$(filter %.o,$$^) $(1)/libdustpan.a $(PKG_LIBS)
$(1)/plant: $(PLANT_SRC:%.c=$(1)/obj/%.o) $(1)/libdustpan.a
	$$(call say,LINK )$(2) $(3) $(LDFLAGS) -o $$@ $$(filter %.o,$$^) $(1)/libdustpan.a $(PKG_LIBS)
endef

.PHONY: all
all: $(BUILD)/dustpan $(BUILD)/libdustpan.a $(BUILD)/libdustpan.so $(BUILD)/dustpan.pc $(BUILD)/plant

$(eval $(call variant,$(BUILD),$(CC),$(BASE) $(WARN) -DNDEBUG $(CFLAGS)))
$(eval $(call variant,$(BUILD)/san,$(CC),$(BASE) $(WARN) -Werror $(QUIET) -O2 $(SAN)))
$(eval $(call variant,$(BUILD)/fuzz,$(FUZZ_CC),$(BASE) $(WARN) -Werror -O2 $(SAN) -fsanitize=fuzzer-no-link))

$(BUILD)/obj/src/%.o $(BUILD)/san/obj/src/%.o $(BUILD)/fuzz/obj/src/%.o: EXTRA = $(patsubst %,-include %,$(wildcard src/base/banned.h))
$(BUILD)/san/obj/tests/unit/%.o: EXTRA = -O1
$(BUILD)/obj/src/rule/common.o $(BUILD)/san/obj/src/rule/common.o $(BUILD)/fuzz/obj/src/rule/common.o: rules/common.rules

# The pages of `report` and `review`, as C: web/ in one text each.
$(BUILD)/embed: tools/embed.c
	$(call say,LINK )mkdir -p $(@D) && $(CC) $(BASE) $(WARN) -O1 -o $@ $< $(shell pkg-config --libs libcrypto)
$(BUILD)/gen/%_page.c: web/%.html $(wildcard web/*.css web/*.js) $(BUILD)/embed
	$(call say,GEN  )mkdir -p $(@D) && $(BUILD)/embed $< >$@

# Link a program out of its object and a variant: $(call program,compiler and flags,folder,more libraries)
program = $(call say,LINK )mkdir -p $(@D) && $(1) $(LDFLAGS) -o $@ $(filter %.o,$^) \
          -Wl,--start-group $(2)/libdustpan.a $(2)/libsupport.a -Wl,--end-group $(PKG_LIBS) $(3)

$(BUILD)/libdustpan.so: $(LIB_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/sources
	$(call say,LINK )$(CC) -shared -Wl,-soname,libdustpan.so.$(SOVERSION),-z,defs,--as-needed $(LDFLAGS) \
	    -o $@ $(filter %.o,$^) $(PKG_LIBS) && ln -sf libdustpan.so $@.$(SOVERSION)

# The command of the same objects, where all optional libraries are absent: for a test.
BARE_SRC := $(call lacking,$(OPTIONAL))
$(BUILD)/bare/dustpan: $(CLI_SRC:%.c=$(BUILD)/obj/%.o) $(BARE_SRC:%.c=$(BUILD)/obj/%.o)
	$(call say,LINK )mkdir -p $(@D) && $(CC) $(LDFLAGS) -o $@ $^ $(shell pkg-config --libs $(NEEDED)) $(LIBS)

# It names the prefix, so that install makes its own: another make may have left one with another prefix.
PC = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
    -e 's|@VERSION@|$(VERSION)|' -e 's|@REQUIRES@|$(PKGS)|' -e 's|@LIBS@|$(LIBS)|' dustpan.pc.in
$(BUILD)/dustpan.pc: dustpan.pc.in FORCE
	@mkdir -p $(@D) && $(PC) >$@

# What the static library must be linked with, for whoever links it here.
$(BUILD)/libs: FORCE
	$(call stamp,$(PKG_LIBS))

# The command as one file that runs on any kernel of this machine's kind, without a file of the system. It loads nothing,
# so that it can neither fetch nor serve pages, and has no method seq2seq.
STATIC_LACK := $(sort $(LACK) $(LOADED) openblas)
STATIC_SRC  := $(call lacking,$(STATIC_LACK))
.PHONY: static
static: $(BUILD)/static/dustpan
$(BUILD)/static/dustpan: $(CLI_SRC:%.c=$(BUILD)/obj/%.o) $(STATIC_SRC:%.c=$(BUILD)/obj/%.o)
	$(call say,LINK )mkdir -p $(@D) && $(CC) -static $(LDFLAGS) -o $@ $^ $(shell pkg-config --static --libs $(PKGS)) $(LIBS)

# ---- tests: tests/run runs and counts them, these targets build what it runs -------------------------------

TESTS := $(TEST_SRC:%.c=$(BUILD)/san/%)
FUZZ  := $(FUZZ_SRC:fuzz/%.c=$(BUILD)/fuzz/%)
BENCH := $(BENCH_SRC:bench/%.c=$(BUILD)/bench/%)

$(BUILD)/san/tests/%: $(BUILD)/san/obj/tests/%.o $(BUILD)/san/libdustpan.a $(BUILD)/san/libsupport.a
	$(call program,$(CC) $(SAN) $(WRAP),$(BUILD)/san,$(test_libs))
$(BUILD)/fuzz/fuzz_%: $(BUILD)/fuzz/obj/fuzz/fuzz_%.o $(BUILD)/fuzz/libdustpan.a $(BUILD)/fuzz/libsupport.a
	$(call program,$(FUZZ_CC) $(SAN) -fsanitize=fuzzer,$(BUILD)/fuzz)
$(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(BUILD)/libdustpan.a $(BUILD)/libsupport.a
	$(call program,$(CC),$(BUILD),$(bench_libs))
$(BUILD)/evidence/%: $(BUILD)/obj/tests/%.o $(BUILD)/libdustpan.a $(BUILD)/libsupport.a
	$(call program,$(CC) $(WRAP),$(BUILD),$(test_libs))

run := BUILD='$(BUILD)' CC='$(CC)' tests/run $(if $(T),-t '$(T)')

.PHONY: check test-programs fuzz-programs bench-programs unit prop cli web python spark golden learners fuzz fuzz-replay install-check lint format
check:
	@$(run)
test-programs: $(TESTS) $(BUILD)/san/dustpan $(BUILD)/san/plant
fuzz-programs: $(FUZZ)
bench-programs: $(BENCH)
unit: $(filter $(BUILD)/san/tests/unit/%,$(TESTS))
prop: $(filter $(BUILD)/san/tests/prop/%,$(TESTS))
unit prop:
	@$(run) $@
cli: $(BUILD)/san/dustpan $(BUILD)/san/plant
	@$(run) cli
web: $(BUILD)/san/dustpan $(BUILD)/san/plant
	@$(run) web
python spark:
	@$(run) $@
golden: $(BUILD)/san/dustpan $(BUILD)/san/plant
	@GOLDEN=1 $(run) cli golden
learners: $(BUILD)/san/dustpan
	@$(run) golden
fuzz fuzz-replay: $(FUZZ)
	@$(run) $@
install-check: all
	@$(run) install
lint:
	@$(run) lint
format:
	@tools/format.sh --fix

.PHONY: fuzz-long fuzz-merge
fuzz-long: $(if $(X),$(X:%=$(BUILD)/fuzz/fuzz_%),$(FUZZ))
	@tools/fuzz_long.sh '$(BUILD)' '$(RUNS)' $(X)
fuzz-merge: $(BUILD)/fuzz/fuzz_$(X)
	$< -merge=1 fuzz/corpus/$(X) $(BUILD)/fuzz/corpus/$(X)

# ---- measuring -----------------------------------------------------------------------------------------------

.PHONY: bench bench-full performance evidence-auto evidence-twin evidence-spark evidence-seq2seq evidence-ablation evidence-units evidence-tables evidence-dust evidence-dust-logs evidence-dust-kinds evidence-scale evidence-exchange evidence-live evidence-waste evidence-logs evidence-atlas evidence-kinds evidence-certify evidence-promises evidence-probes
bench: all bench-programs
	BUILD='$(BUILD)' bench/run
bench-full: all bench-programs
	BUILD='$(BUILD)' bench/run --full
performance:
	tools/performance.sh --fix
evidence-auto: all
	BUILD='$(BUILD)' tools/evidence.sh auto tools/evidence/auto.sh
evidence-atlas: all
	BUILD='$(BUILD)' tools/evidence.sh atlas tools/evidence/atlas.sh
evidence-kinds: all
	BUILD='$(BUILD)' tools/evidence.sh kinds tools/evidence/kinds.sh
evidence-certify: all
	BUILD='$(BUILD)' tools/evidence.sh certify tools/evidence/certify.py $(RUNS)
evidence-probes: all
	BUILD='$(BUILD)' tools/evidence.sh probes tools/evidence/probes.py $(RUNS)
evidence-promises: all
	BUILD='$(BUILD)' tools/evidence.sh promises tools/evidence/promises.py $(LIVE)
evidence-seq2seq: all
	BUILD='$(BUILD)' JOBS=$(or $(JOBS),1) tools/evidence.sh seq2seq tools/evidence/methods.py
evidence-ablation: all
	tools/evidence.sh ablation tools/evidence/ablation.sh
evidence-units: all
	BUILD='$(BUILD)' tools/evidence.sh units tools/evidence/units.py $(SIZES)
evidence-tables: all
	BUILD='$(BUILD)' tools/evidence.sh $(if $(SHARE),tables,tables-full) tools/tables/run $(or $(SHARE),1) $(PART)
evidence-spark: all
	tools/evidence.sh spark tools/evidence/spark.sh $(BUILD)
evidence-twin: $(BUILD)/evidence/prop/prop_engine
	tools/evidence.sh twin env DP_TWIN_SETS=100000 $<
evidence-scale: all
	tools/evidence.sh scale tools/evidence/scale.sh $(BUILD) $(POWERS)
evidence-exchange: all
	tools/evidence.sh exchange tools/evidence/exchange.sh '$(BUILD)'
evidence-live: all
	BUILD='$(BUILD)' CRAWL=$(or $(CRAWL),yes) tools/evidence.sh live tools/evidence/live.sh '$(or $(LIVE),$(BUILD)/live)' $(APPS)
evidence-waste: all
	tools/evidence.sh waste tools/evidence/waste.py '$(or $(LIVE),$(BUILD)/live)' --dustpan '$(BUILD)/dustpan'
evidence-logs: all $(BUILD)/plant
	tools/evidence.sh logs tools/evidence/logs.py '$(or $(LIVE),$(BUILD)/live)' --dustpan '$(BUILD)/dustpan' --plant '$(BUILD)/plant'
evidence-dust: all $(BUILD)/evidence/tables/dust_phases
	tools/evidence.sh dust tools/evidence/dust.sh $(BUILD)
evidence-dust-logs: all
	tools/evidence.sh dust-logs tools/evidence/dust_logs.py $(BUILD)
evidence-dust-kinds: all
	tools/evidence.sh dust-kinds tools/evidence/dust_kinds.py '$(BUILD)/dustpan' $(LIVE)

# ---- install -------------------------------------------------------------------------------------------------

SO   := libdustpan.so.$(VERSION)
BASH := $(wildcard completions/*.bash)
ZSH  := $(wildcard completions/_* completions/*.zsh)
FISH := $(wildcard completions/*.fish)
MAN  := $(wildcard man/*.1 man/*.5)
RULE := $(wildcard rules/*.rules)
# With their folders, so that links from one to another still lead there.
DOCS := README.md CHANGELOG.md LICENSE $(sort $(shell find docs -type f)) $(filter-out %.sh %.awk,$(wildcard examples/*))
DOCDIR ?= $(DATADIR)/doc/dustpan

# file:place, for install and uninstall alike
INSTALLED := $(BUILD)/dustpan:$(BINDIR)/dustpan \
    $(BUILD)/libdustpan.a:$(LIBDIR)/libdustpan.a \
    $(BUILD)/libdustpan.so:$(LIBDIR)/$(SO) \
    $(BUILD)/dustpan.pc:$(LIBDIR)/pkgconfig/dustpan.pc \
    include/dustpan.h:$(INCLUDEDIR)/dustpan.h \
    $(foreach f,$(MAN),$(f):$(DATADIR)/man/man$(patsubst .%,%,$(suffix $(f)))/$(notdir $(f))) \
    $(foreach f,$(RULE),$(f):$(DATADIR)/dustpan/$(notdir $(f))) \
    $(foreach f,$(DOCS),$(f):$(DOCDIR)/$(f)) \
    $(BASH:%=%:$(DATADIR)/bash-completion/completions/dustpan) \
    $(ZSH:%=%:$(DATADIR)/zsh/site-functions/_dustpan) \
    $(FISH:%=%:$(DATADIR)/fish/vendor_completions.d/dustpan.fish)
LINKS := $(LIBDIR)/libdustpan.so.$(SOVERSION) $(LIBDIR)/libdustpan.so
place  = $(DESTDIR)$(lastword $(subst :, ,$(1)))

.PHONY: dist packages
dist packages:
	BUILD='$(BUILD)' VERSION='$(VERSION)' tools/pack.sh $(if $(filter dist,$@),dist,$(X))

.PHONY: install uninstall clean FORCE
install: all
	$(foreach f,$(INSTALLED),install -D -m $(if $(filter $(BUILD)/dustpan:%,$(f)),755,644) \
	    $(firstword $(subst :, ,$(f))) $(call place,$(f)) &&) :
	$(PC) >$(DESTDIR)$(LIBDIR)/pkgconfig/dustpan.pc
	$(foreach f,$(LINKS),ln -sf $(SO) $(DESTDIR)$(f) &&) :
uninstall:
	rm -f $(foreach f,$(INSTALLED),$(call place,$(f))) $(LINKS:%=$(DESTDIR)%)
	[ ! -d '$(DESTDIR)$(DOCDIR)' ] || find '$(DESTDIR)$(DOCDIR)' -depth -type d -empty -delete
clean:
	rm -rf $(BUILD)
FORCE:

.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
-include $(shell find $(BUILD) -path $(BUILD)/packages -prune -o -name '*.d' -type f -print 2>/dev/null)
