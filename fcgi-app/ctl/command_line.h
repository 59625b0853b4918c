// tradepostctl without its main().
#pragma once

namespace tradepost::ctl {

// Runs one command; returns the exit code: 0, 1 failed, 2 wrong usage. Prints on std::cout and errors, one line, on std::cerr.
// Never throws.
int run(int argc, const char* const* argv);

}  // namespace tradepost::ctl
