# Tradepost
#
#   make run      from nothing to a served API in the foreground
#   make check    every test against a real nginx, MariaDB and workers
#   make help     all targets
#
# Variables: PORT=8443 STATE=var (the private stack), BUILD=build, SANITIZE= (e.g. address,undefined), V=1 (show commands).

BUILD    ?= build
SANITIZE ?=
V        ?=

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$(2)')

CXX      ?= g++
CXXFLAGS ?= -O2 -g
LDFLAGS  ?=
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
ALL_CXXFLAGS = -std=c++20 $(CXXFLAGS) $(WARN) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer) \
               -Ifcgi-app -Itests -DTOML_HEADER_ONLY=0 -MMD -MP
ALL_LDFLAGS  = $(LDFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE))
LIBS         = -lfcgi -lmysqlcppconn -lcrypto -largon2 -lcrypt -ltomlplusplus -lutf8proc -lxxhash -lhiredis
TEST_LIBS    = -lboost_unit_test_framework -lcurl -lyaml-cpp

LIB_SRC  := $(filter-out fcgi-app/main.cpp fcgi-app/ctl/main.cpp,$(shell find fcgi-app -name '*.cpp' | sort))
LIB_OBJ  := $(LIB_SRC:%.cpp=$(BUILD)/obj/%.o)
SUPPORT_OBJ := $(patsubst %.cpp,$(BUILD)/obj/%.o,$(wildcard tests/support/*.cpp))
SUITES   := unit repo api e2e
test_obj  = $(patsubst %.cpp,$(BUILD)/obj/%.o,$(wildcard tests/$(1)/*.cpp))

.PHONY: all
all: $(BUILD)/tradepost-worker $(BUILD)/tradepostctl

$(BUILD)/tradepost-worker: $(BUILD)/obj/fcgi-app/main.o $(BUILD)/libtradepost.a
$(BUILD)/tradepostctl: $(BUILD)/obj/fcgi-app/ctl/main.o $(BUILD)/libtradepost.a
$(BUILD)/tradepost-worker $(BUILD)/tradepostctl:
	$(call say,LINK,$@)
	$(Q)$(CXX) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libtradepost.a: $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

# One program a suite, from every file of its folder.
define suite
$(BUILD)/test-$(1): $(call test_obj,$(1)) $(SUPPORT_OBJ) $(BUILD)/libtradepost.a
	$$(call say,LINK,$$@)
	$$(Q)$$(CXX) $$(ALL_LDFLAGS) -o $$@ $$^ $$(LIBS) $$(TEST_LIBS)
endef
$(foreach s,$(SUITES),$(eval $(call suite,$(s))))

# Objects depend on the flags they were compiled with.
FLAGS_FILE := $(BUILD)/obj/flags
ifneq ($(shell cat $(FLAGS_FILE) 2>/dev/null),$(CXX) $(ALL_CXXFLAGS))
$(shell mkdir -p $(BUILD)/obj && printf '%s' '$(CXX) $(ALL_CXXFLAGS)' > $(FLAGS_FILE))
endif

$(BUILD)/obj/%.o: %.cpp $(FLAGS_FILE)
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(CXX) $(ALL_CXXFLAGS) -c -o $@ $<

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

.PHONY: clean
clean:
	$(Q)rm -rf $(BUILD)
