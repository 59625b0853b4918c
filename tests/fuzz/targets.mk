# The fuzz targets: one program for each file here.
# For clang: make -f tests/fuzz/targets.mk CXX=clang++-19 BUILD=build/fuzz SANITIZE=address,undefined
.DEFAULT_GOAL := fuzz-programs
include Makefile

ALL_CXXFLAGS += -fsanitize=fuzzer-no-link

# With sanitizers, and without what the suites get for Boost.Test.
$(BUILD)/obj/fuzz/%.o: tests/support/%.cpp $(FLAGS_FILE)
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(CXX) $(ALL_CXXFLAGS) -c -o $@ $<

.PHONY: fuzz-programs
fuzz-programs: $(patsubst tests/fuzz/%.cpp,$(BUILD)/fuzz-%,$(wildcard tests/fuzz/*.cpp))
$(BUILD)/fuzz-%: $(BUILD)/obj/tests/fuzz/%.o $(BUILD)/obj/fuzz/fastcgi_exchange.o $(BUILD)/libtradepost.a
	$(call say,LINK,$@)
	$(Q)$(CXX) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS) $(CTL_LIBS)
.SECONDARY:
