# Tradepost
#
#   make              build the programs and the pages
#   make pages        build the dashboard and the reference of the API alone
#   make run          from nothing to a served API in the foreground; Ctrl-C stops all
#   make up           the same in the background
#   make down         stop what `make up` started; its data stays
#   make check        lint and the tests, against a database server, nginx and workers of their own
#   make check-all    every test there is, in parts; FROM=PART goes on where it was stopped (as root)
#   make check-timing what is measured in seconds: rate limits in real time, fairness, back-off; nothing else should run meanwhile
#   make check-scale  what reads cost with TRADEPOST_TEST_ROWS=1000000 jobs
#   make check-asan   the tests in C++ under AddressSanitizer and UndefinedBehaviorSanitizer
#   make audit        clang-tidy over fcgi-app, vulnerabilities of linked packages and of the tests' tools
#   make lint         include directions and other rules of the source, the API description
#   make check-system the product installed under a real systemd: faults, upgrades, restore (as root)
#   make check-platforms  the suites on Debian 12 with MySQL, Debian 13 and Ubuntu 24.04, and the upgrade of Debian (as root)
#   make check-cluster  several hosts on a replicated database, of which each part is broken under load (as root)
#   make schema       write sql/SCHEMA.md from a migrated database
#   make install      to DESTDIR and PREFIX=/usr/local, as hier(7) has it
#   make deb          a Debian package, BUILD/deb/tradepost_*.deb
#   make bench        load SIZE=10000 jobs and measure, beside PHP, Go and Node
#   make fuzz         fuzz the parsers for FUZZ_SECONDS=60 each
#   make clean        remove what was built (never STATE)
#   make help         this
#
# Variables: PORT=8443 STATE=var WORKERS=4 SEARCH= (the private stack; PORT=auto picks a free one, SEARCH=sphinx adds a search
# server, which stays until SEARCH=mysql), BUILD=build, UNITY= (compile each file by itself, for who changes few at a time),
# SANITIZE= (e.g. address,undefined), V=1 (show commands), CXX, CPPFLAGS, CXXFLAGS, LDFLAGS.

# A comma, for the arguments of functions.
, := ,

BUILD    ?= build
SANITIZE ?=
UNITY    ?= 1
V        ?=

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$(2)')

CXX      ?= g++
# A compiler cache, where one is installed. A copy of the source in another folder takes what this one has compiled: the names of the
# objects' files are relative, and -fpch-preprocess names the precompiled header by what it was made of.
COMPILE  := $(if $(shell command -v ccache),CCACHE_BASEDIR='$(CURDIR)' CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines$(,)time_macros ccache )$(CXX)
CPPFLAGS ?=
CXXFLAGS ?= -O2 -g1
LDFLAGS  ?=
# Against exploits of faults that nobody has found yet. The flags of a packager come after these, and win. _FORTIFY_SOURCE takes
# optimisation, and would hide from a sanitizer what that looks for; a processor has one of the two control-flow protections.
MACHINE  := $(firstword $(subst -, ,$(shell $(CXX) -dumpmachine)))
HARDENING = -fstack-protector-strong -fstack-clash-protection -fPIE \
            $(if $(filter x86_64 i%86,$(MACHINE)),-fcf-protection) $(if $(filter aarch64,$(MACHINE)),-mbranch-protection=standard) \
            $(if $(or $(SANITIZE),$(filter %_FORTIFY_SOURCE %_FORTIFY_SOURCE=1 %_FORTIFY_SOURCE=2 %_FORTIFY_SOURCE=3,$(CPPFLAGS) $(CXXFLAGS)),$(filter -O0,$(lastword -O0 $(filter -O%,$(CXXFLAGS))))),,-D_FORTIFY_SOURCE=2)
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual $(if $(findstring clang,$(CXX)),,-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
ALL_CXXFLAGS = -std=c++20 $(HARDENING) $(CPPFLAGS) $(CXXFLAGS) $(WARN) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer) \
               -Ifcgi-app -Itests -DTOML_HEADER_ONLY=0 -MMD -MP
ALL_LDFLAGS  = -pie -Wl,-z,relro -Wl,-z,now $(LDFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE))
LIBS         = -lfcgi -lmysqlcppconn -lssl -lcrypto -largon2 -lcrypt -ltomlplusplus -lutf8proc -licuuc -lxxhash -lhiredis -lmagic -lcrack -lseccomp -loath -lqrencode -lidn2 -lz
CTL_LIBS     = -lcurl -lcares
TEST_LIBS    = -lboost_unit_test_framework -lyaml-cpp $(CTL_LIBS)

# The version of the package is that of all programs. It is compiled into one object, so that a new one compiles nothing else.
VERSION  := $(shell head -n1 debian/changelog | tr -d '()' | cut -d' ' -f2)
VERSION_OBJ := $(BUILD)/obj/unity/version.o

ALL_SRC  := $(shell find fcgi-app -name '*.cpp' | sort)
LIB_SRC  := $(filter-out fcgi-app/main.cpp fcgi-app/ctl/main.cpp fcgi-app/search/follower/main.cpp fcgi-app/deliver/main.cpp fcgi-app/spool/main.cpp,$(ALL_SRC))
LIB_OBJ  := $(if $(UNITY),$(patsubst %/,$(BUILD)/obj/unity/%.o,$(sort $(dir $(LIB_SRC)))),$(LIB_SRC:%.cpp=$(BUILD)/obj/%.o)) $(VERSION_OBJ)
SUPPORT_OBJ := $(patsubst %.cpp,$(BUILD)/obj/%.o,$(wildcard tests/support/*.cpp))
SUITES   := unit repo api e2e scale
# A suite's files are compiled as one where their names begin with the same letter; not those of scale, which define classes for each other.
LETTERS  := $(shell cd tests && ls unit/*.cpp repo/*.cpp e2e/*.cpp | sed -E '/main.cpp$$/d; s|^([a-z0-9]+/.).*|\1|' | sort -u)
together := $(if $(UNITY),unit repo e2e)
test_obj  = $(if $(filter $(together),$(1)),$(BUILD)/obj/tests/$(1)/main.o $(patsubst %,$(BUILD)/obj/unity/tests/%.o,$(filter $(1)/%,$(LETTERS))),$(patsubst %.cpp,$(BUILD)/obj/%.o,$(wildcard tests/$(1)/*.cpp)))

.PHONY: all
all: $(BUILD)/tradepost-worker $(BUILD)/tradepostctl $(BUILD)/tradepost-index $(BUILD)/tradepost-deliver $(BUILD)/tradepost-spool pages

$(BUILD)/tradepost-worker: $(BUILD)/obj/fcgi-app/main.o $(BUILD)/libtradepost.a
$(BUILD)/tradepostctl: $(BUILD)/obj/fcgi-app/ctl/main.o $(BUILD)/libtradepost.a
$(BUILD)/tradepost-index: $(BUILD)/obj/fcgi-app/search/follower/main.o $(BUILD)/libtradepost.a
$(BUILD)/tradepost-deliver: $(BUILD)/obj/fcgi-app/deliver/main.o $(BUILD)/libtradepost.a
$(BUILD)/tradepostctl $(BUILD)/tradepost-deliver: private LIBS += $(CTL_LIBS)
$(BUILD)/tradepost-worker $(BUILD)/tradepostctl $(BUILD)/tradepost-index $(BUILD)/tradepost-deliver:
	$(call say,LINK,$@)
	$(Q)$(CXX) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# It is little, and its address space holds nothing of the rest.
$(BUILD)/tradepost-spool: $(BUILD)/obj/fcgi-app/spool/main.o $(BUILD)/obj/fcgi-app/files/spool.o $(VERSION_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(ALL_LDFLAGS) -o $@ $^

$(BUILD)/libtradepost.a: $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

# The dashboard as browsers load it. A folder is newer when a file of it is gone.
.PHONY: pages
pages: $(BUILD)/www/dashboard/index.html $(BUILD)/www/docs/index.html
$(BUILD)/www/dashboard/index.html: $(shell find nginx/www/dashboard nginx/dashboard -not -path '*/__pycache__*') $(wildcard fcgi-app/fields/*.inc)
	$(call say,PAGES,$(@D))
	$(Q)mkdir -p $(BUILD)/www && /usr/bin/python3 nginx/dashboard/make nginx/www/dashboard $(@D)

# The pages of /docs/, openapi.yaml, openapi.json and the files to download, from the description of the API; and the manuals.
MANUALS := systemd/OPERATORS.md systemd/CLUSTER.md systemd/MONITORING.md nginx/DEALERS.md SECURITY.md CHANGELOG.md
$(BUILD)/www/docs/index.html: nginx/www/openapi.yaml $(MANUALS) systemd/monitoring/dashboard.png $(addprefix nginx/www/dashboard/assets/,css/theme.css theme.js icon.svg) $(shell find nginx/docs -type f -not -path '*/__pycache__/*')
	$(call say,DOCS,$(@D))
	$(Q)mkdir -p $(BUILD)/www && /usr/bin/python3 nginx/docs/make nginx/www/openapi.yaml $(@D)

# One program a suite, from every file of its folder. The product's objects come first: of an inline function the linker takes the
# first copy, and only theirs have the checks of sanitizers.
define suite
$(BUILD)/test-$(1): $(LIB_OBJ) $(call test_obj,$(1)) $(SUPPORT_OBJ)
	$$(call say,LINK,$$@)
	$$(Q)$$(CXX) $$(ALL_LDFLAGS) -o $$@ $$^ $$(LIBS) $$(TEST_LIBS)
endef
$(foreach s,$(SUITES),$(eval $(call suite,$(s))))

$(BUILD)/bench-trivial: $(BUILD)/obj/tests/bench/trivial.o
	$(call say,LINK,$@)
	$(Q)$(CXX) $(ALL_LDFLAGS) -o $@ $^ -lfcgi
$(BUILD)/bench-open-loop: $(BUILD)/obj/tests/bench/open_loop.o
	$(call say,LINK,$@)
	$(Q)$(CXX) $(ALL_LDFLAGS) -o $@ $^
# Libraries are Debian's, in the tree that GOPATH names; nothing is downloaded.
$(BUILD)/bench-go: $(wildcard tests/bench/go/*.go)
	$(call say,GO,$@)
	$(Q)mkdir -p $(@D) && GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS= GOCACHE=$(abspath $(BUILD))/go-cache go build -o $@ ./tests/bench/go
BENCH := $(addprefix $(BUILD)/bench-,trivial open-loop go)

# Tests take longer to compile than to run, and with sanitizers three times as long. Their flags do not depend on how the product is
# optimised and checked, so that tests/platforms/run can take objects which the host has compiled. g++ takes NAME.gch for -include NAME,
# and no header is beside it. A suite's main.cpp configures Boost.Test before it includes it.
TEST_CXXFLAGS = -std=c++20 -fPIE $(CPPFLAGS) $(filter-out -O%,$(CXXFLAGS)) -O0 -U_FORTIFY_SOURCE $(WARN) -Wno-subobject-linkage -I. -Ifcgi-app -Itests -DTOML_HEADER_ONLY=0 -MMD -MP
TEST_OBJ := $(filter-out %/main.o,$(foreach s,$(SUITES),$(call test_obj,$(s)))) $(SUPPORT_OBJ)
TEST_PCH := $(BUILD)/obj/precompiled/support/boost_test.h.gch

# Objects depend on the flags they were compiled with: flags are kept in a file, which is written only when they change.
FLAGS_FILE := $(BUILD)/obj/flags
TEST_FLAGS_FILE := $(BUILD)/obj/precompiled/flags
keep_flags = $(if $(filter-out 0,$(shell printf '%s' '$(2)' | cmp -s - $(1); echo $$?)),$(shell mkdir -p $(dir $(1)) && printf '%s' '$(2)' >$(1)))
$(call keep_flags,$(FLAGS_FILE),$(CXX) $(ALL_CXXFLAGS))
$(call keep_flags,$(TEST_FLAGS_FILE),$(CXX) $(TEST_CXXFLAGS))

# Commands take longer to compile than to run, too.
$(BUILD)/obj/fcgi-app/ctl/%.o $(BUILD)/obj/unity/fcgi-app/ctl.o $(BUILD)/obj/unity/fcgi-app/ctl/%.o: private MORE_CXXFLAGS = -O1
$(TEST_PCH): tests/support/boost_test.h $(TEST_FLAGS_FILE)
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(TEST_CXXFLAGS) -x c++-header -o $@ $<
$(filter $(BUILD)/obj/tests/%,$(TEST_OBJ)): $(BUILD)/obj/%.o: %.cpp $(TEST_PCH)
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(TEST_CXXFLAGS) -fpch-preprocess -include $(TEST_PCH:.gch=) -c -o $@ $<
$(filter $(BUILD)/obj/unity/%,$(TEST_OBJ)): $(BUILD)/obj/unity/%.o: $(BUILD)/obj/unity/%.cpp $(TEST_PCH)
	$(call say,CXX,$*)
	$(Q)$(COMPILE) $(TEST_CXXFLAGS) -fpch-preprocess -include $(TEST_PCH:.gch=) -c -o $@ $<

$(BUILD)/obj/%.o: %.cpp $(FLAGS_FILE)
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(ALL_CXXFLAGS) $(MORE_CXXFLAGS) -c -o $@ $<

# Most of a compilation is reading headers and making templates, so files are compiled as one: the product's files of a folder, and the
# tests with the same first letter, each in a namespace of its own as their helpers have the same names. `make audit` compiles each file
# by itself, and shows that it includes what it uses. In a copy of the source all folders are newer, but what they hold is the same.
.SECONDEXPANSION:
.PRECIOUS: $(BUILD)/obj/unity/%.cpp
write_if_other = >$@.new && if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(BUILD)/obj/unity/%.cpp: % $$(filter-out $$*/main.cpp,$$(wildcard $$*/*.cpp))
	$(Q)mkdir -p $(@D) && printf '#include "%s"\n' $(filter %.cpp,$^) $(write_if_other)
$(BUILD)/obj/unity/tests/%.cpp: $$(dir tests/$$*) $$(filter-out %/main.cpp,$$(wildcard tests/$$**.cpp))
	$(Q)mkdir -p $(@D) && { grep -h '^#include' $(filter %.cpp,$^) | sort -u && printf 'namespace in_%s {\n#include "%s"\n}\n' \
		$(foreach file,$(filter %.cpp,$^),$(basename $(notdir $(file))) $(file)); } $(write_if_other)
$(VERSION_OBJ:.o=.cpp): debian/changelog
	$(Q)mkdir -p $(@D) && printf '#include "core/version.h"\nconst char* const tradepost::core::version = "%s";\n' '$(VERSION)' $(write_if_other)
$(BUILD)/obj/unity/%.o: $(BUILD)/obj/unity/%.cpp $(FLAGS_FILE)
	$(call say,CXX,$*)
	$(Q)$(COMPILE) $(ALL_CXXFLAGS) -I. $(MORE_CXXFLAGS) -c -o $@ $<

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
# Else make takes NAME.d for a program of NAME.d.cpp, which it could make, and a folder for one of a file that has gone.
%: %.cpp
%: %.o
$(BUILD)/obj/%.d: ;

# Everything below builds through a make of its own: packages may have to be installed first, and -j is not to be asked for.
PARALLEL := $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
# exec: the script must be make's own child to notice that make was stopped.
STACK    := exec env STATE='$(or $(STATE),var)' PORT='$(PORT)' BUILD='$(BUILD)' WORKERS='$(WORKERS)' SEARCH='$(SEARCH)' systemd/runit/stack

.PHONY: run up down
run up:
	@systemd/runit/install run $(filter sphinx,$(SEARCH))
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@$(STACK) $@
down:
	@$(STACK) down

# Sanitizers find nothing in the description of the API, and little in the browser that the cases do not make the workers do.
CHECKED  := unit repo api e2e
.PHONY: check check-all check-timing check-scale check-asan tests
tests: all $(CHECKED:%=$(BUILD)/test-%)
check:
	@systemd/runit/install run check
	@$(MAKE) --no-print-directory $(PARALLEL) tests
	@BUILD='$(BUILD)' tests/run
check-all:
	@BUILD='$(BUILD)' tests/all
check-timing:
	@systemd/runit/install run check
	@$(MAKE) --no-print-directory $(PARALLEL) tests
	@BUILD='$(BUILD)' tests/run timing
check-scale:
	@systemd/runit/install run check
	@$(MAKE) --no-print-directory $(PARALLEL) $(BUILD)/test-scale
	@BUILD='$(BUILD)' tests/run scale
check-asan:
	@systemd/runit/install run check
	@$(MAKE) --no-print-directory $(PARALLEL) tests BUILD=build-asan SANITIZE=address,undefined CXXFLAGS='-O0 -g1'
	@BUILD=build-asan TRADEPOST_TEST_SLOW=$(or $(TRADEPOST_TEST_SLOW),9) tests/run $(CHECKED)

# An object is newer than its source and headers, so a source is checked again only after a change. The analyser would take six times
# as long if it followed calls into the standard library, and three times with its own limit of steps in a function.
TIDY_FLAGS = $(filter -std=% -I% -D%,$(filter-out -D_FORTIFY_SOURCE%,$(ALL_CXXFLAGS))) \
             -Xclang -analyzer-config -Xclang c++-stdlib-inlining=false,max-nodes=60000
.PHONY: audit tidy
audit:
	@systemd/runit/install run check audit
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@BUILD='$(BUILD)' MAKE='$(MAKE) --no-print-directory $(PARALLEL)' tests/audit/run
tidy: $(ALL_SRC:%.cpp=$(BUILD)/audit/%.tidy)
$(BUILD)/audit/%.tidy: $(BUILD)/obj/%.o .clang-tidy
	$(call say,TIDY,$*.cpp)
	$(Q)mkdir -p $(@D) && rm -f $@
	$(Q)clang-tidy-19 --quiet $*.cpp -- $(TIDY_FLAGS) >$@.out 2>&1 && mv $@.out $@ || { grep -v 'warnings generated' $@.out; exit 1; }

.PHONY: schema
schema:
	@systemd/runit/install run check
	@$(MAKE) --no-print-directory $(PARALLEL) $(BUILD)/test-repo
	@TRADEPOST_WRITE_SCHEMA=1 BOOST_TEST_RUN_FILTERS=schema_document BUILD='$(BUILD)' tests/run repo

.PHONY: lint bench fuzz
lint:
	@systemd/runit/install run check
	@BUILD='$(BUILD)' tests/lint
bench:
	@systemd/runit/install run bench
	@$(MAKE) --no-print-directory $(PARALLEL) all $(BENCH)
	@BUILD='$(BUILD)' tests/bench/run
FUZZ_SECONDS ?= 60
fuzz:
	@systemd/runit/install run fuzz
	@BUILD='$(BUILD)' CXX=clang++-19 SECONDS_EACH='$(FUZZ_SECONDS)' tests/fuzz/run

include systemd/install.mk

.PHONY: help clean
help:
	@sed -n '/^#   make/,/^[^#]/s/^# \{0,1\}//p' Makefile
clean:
	$(Q)rm -rf build build-* $(BUILD)
