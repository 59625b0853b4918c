// Passwords as commands take them.
#pragma once
#include <string>
#include <string_view>

namespace tradepost::ctl {

// A password for the user with this email and name: the first line of standard input, or, without `from_stdin`, what is typed at the
// terminal twice without being shown. Throws WrongUsage when there is no terminal to ask at, Failure for one that may not be chosen
// (identity::password_fault()), invalid UTF-8, or two that differ.
std::string read_password(bool from_stdin, std::string_view email, std::string_view name);

// The password of something else: the first line of the file, of standard input for "-", or, without a name, what is typed at the
// terminal without being shown. Throws Failure or WrongUsage.
std::string read_secret(const std::string& path, const char* question);

}  // namespace tradepost::ctl
