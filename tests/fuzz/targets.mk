# The fuzz targets: one program for each file here.
# For clang: make -f tests/fuzz/targets.mk CXX=clang++-19 BUILD=build/fuzz SANITIZE=address,undefined
.DEFAULT_GOAL := fuzz-programs
include Makefile

ALL_CXXFLAGS += -fsanitize=fuzzer-no-link

# Without what tests/support gets for Boost.Test.
$(BUILD)/obj/tests/support/fastcgi_exchange.o: private MORE_CXXFLAGS =

.PHONY: fuzz-programs
fuzz-programs: $(patsubst tests/fuzz/%.cpp,$(BUILD)/fuzz-%,$(wildcard tests/fuzz/*.cpp))
$(BUILD)/fuzz-%: $(BUILD)/obj/tests/fuzz/%.o $(BUILD)/obj/tests/support/fastcgi_exchange.o $(BUILD)/libtradepost.a
	$(call say,LINK,$@)
	$(Q)$(CXX) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS) $(CTL_LIBS)
.SECONDARY:
