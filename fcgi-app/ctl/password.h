// Passwords as commands take them.
#pragma once
#include <string>

namespace tradepost::ctl {

// The first line of standard input, or, without `from_stdin`, what is typed at the terminal twice without being shown.
// Throws WrongUsage when there is no terminal to ask at, Failure for an empty or overlong password, invalid UTF-8, or two that
// differ.
std::string read_password(bool from_stdin);

}  // namespace tradepost::ctl
