// The locking statements that the product sends while a suite runs, for the suite `locks` (tests/locks/main.py). Linking statement_log.cpp is enough:
// at its end a program appends one line for each form of a statement to the file that TRADEPOST_TEST_STATEMENTS names.
#pragma once
#include <string>
#include <string_view>

namespace tradepost::test {

// Whether the statement locks rows that it reads.
bool locks_rows(std::string_view sql);

// The statement with `?` for each value, and one for a list of values: statements of one form are explained once.
std::string form_of(std::string_view sql);

}  // namespace tradepost::test
