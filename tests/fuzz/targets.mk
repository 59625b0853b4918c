# The fuzz targets: one program for each file here, from the floors of the source that need no database.
# For clang: make -f tests/fuzz/targets.mk CXX=clang++ BUILD=build/fuzz SANITIZE=address,undefined
.DEFAULT_GOAL := fuzz-programs
include Makefile

ALL_CXXFLAGS += -fsanitize=fuzzer-no-link
FUZZ_SRC := $(wildcard $(patsubst %,fcgi-app/%/*.cpp,core http json search)) fcgi-app/fcgi/message.cpp \
            fcgi-app/engines/boolean_query.cpp fcgi-app/resources/feeds/lines.cpp fcgi-app/files/image_header.cpp fcgi-app/files/webp.cpp tests/support/fastcgi_exchange.cpp

.PHONY: fuzz-programs
fuzz-programs: $(patsubst tests/fuzz/%.cpp,$(BUILD)/fuzz-%,$(wildcard tests/fuzz/*.cpp))
$(BUILD)/fuzz-%: $(BUILD)/obj/tests/fuzz/%.o $(FUZZ_SRC:%.cpp=$(BUILD)/obj/%.o)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)
.SECONDARY:
