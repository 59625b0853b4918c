// A running product: nginx, the pools of workers and a database server in one folder (systemd/runit/).
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"
#include "support/http_client.h"
#include "support/process.h"

namespace tradepost::test {

struct User {
    std::string email, password;
};

class Stack {
public:
    explicit Stack(std::string state);  // its folder

    const std::string& state() const { return state_; }
    Site site() const;
    core::Config config() const;
    User demo_user() const;

    std::vector<pid_t> workers(const std::string& pool = "api") const;             // those alive; pools: api, auth, uploads
    bool await_workers(std::size_t count, const std::string& pool = "api") const;  // until so many live and the stack answers
    pid_t service(const std::string& name) const;  // the process that runit watches: nginx, api …
    std::string database() const;                  // the service of its database server: mariadb or mysql
    bool answers() const;                          // /readyz says 200

    Finished ctl(const std::vector<std::string>& arguments, const std::string& input = "") const;  // tradepostctl
    Finished sv(const std::string& command, const std::string& service) const;                     // runit's, waits as that does
    User add_user() const;  // a new one, with a password of its own
    std::string mint(const User& user, const std::string& name = "e2e") const;

    std::string log(const std::string& name) const;            // what log/NAME.log holds
    std::string line_of(const std::string& request_id) const;  // waits for a worker's line; "" when none comes
    pid_t served_by(const std::string& request_id) const;      // by that line; 0 when none comes
    int lines_with(const std::string& log, std::string_view text) const;

private:
    std::string state_;
};

// The stack that TRADEPOST_TEST_STATE and TRADEPOST_TEST_URL name. Throws std::runtime_error, saying what to set.
Stack& stack();

// A second one, started by `make run` when it is first needed, with short limits and the trusted proxy below; see own_stack.cpp.
Stack& own_stack();
inline constexpr const char* trusted_proxy = "127.77.0.1";
// Presses Ctrl-C and returns `make run`'s exit status once it has ended; own_stack() starts it again. -1: it did not run.
int stop_own_stack();
// The variables of `make` for it, KEY=VALUE.
std::vector<std::string> own_stack_variables();

// The folder with tradepost-worker and tradepostctl: that of the running program.
std::string program_folder();

// What must not occur in any log: passwords and tokens that tests used.
void remember_secret(const std::string& secret);
std::set<std::string> secrets();

}  // namespace tradepost::test
