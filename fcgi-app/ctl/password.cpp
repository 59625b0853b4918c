#include "ctl/password.h"

#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "core/text.h"
#include "ctl/context.h"
#include "identity/passwords/password_rules.h"

namespace tradepost::ctl {
namespace {

// The terminal without echo for as long as this lives.
class Silence {
public:
    Silence() {
        tcgetattr(STDIN_FILENO, &before_);
        termios silent = before_;
        silent.c_lflag &= ~tcflag_t(ECHO);
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    ~Silence() { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_); }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

private:
    termios before_{};
};

std::string ask(const char* question) {
    std::cerr << question << std::flush;
    std::string line;
    std::getline(std::cin, line);
    std::cerr << "\n";
    return line;
}

}  // namespace

std::string read_password(bool from_stdin, std::string_view email, std::string_view name) {
    std::string password;
    if (from_stdin) {
        std::getline(std::cin, password);
        if (password.ends_with('\r')) password.pop_back();
    } else {
        if (!isatty(STDIN_FILENO))
            throw WrongUsage(
                "there is no terminal to ask for the password at: write it to standard input and use --password-stdin");
        const Silence silence;
        password = ask("Password: ");
        if (ask("The same again: ") != password) throw Failure("the two passwords differ: nothing was changed");
    }
    if (!core::is_utf8(password)) throw Failure("the password is not valid UTF-8: nothing was changed");
    if (const auto fault = identity::password_fault(password, email, name))
        throw Failure("the password " + *fault + ": nothing was changed");
    return password;
}

std::string read_secret(const std::string& path, const char* question) {
    if (path.empty()) {
        if (!isatty(STDIN_FILENO))
            throw WrongUsage(
                "there is no terminal to ask for the password at: use --password-file FILE, or - for standard input");
        const Silence silence;
        return ask(question);
    }
    std::string password;
    std::ifstream file;
    if (path != "-") file.open(path);
    if (path != "-" && !file) throw Failure(path + ": cannot be read: " + std::strerror(errno));
    std::getline(path == "-" ? std::cin : file, password);
    if (password.ends_with('\r')) password.pop_back();
    return password;
}

}  // namespace tradepost::ctl
