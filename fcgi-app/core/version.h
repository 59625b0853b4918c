// The version of this program: that of the package. The Makefile reads it from debian/changelog and writes the definition.
#pragma once

namespace tradepost::core {

extern const char* const version;  // such as "2.0.0"

}  // namespace tradepost::core
