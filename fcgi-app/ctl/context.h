// What every command of tradepostctl is given.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/clock.h"
#include "core/config.h"
#include "db/connection.h"
#include "identity/organisations/organisation.h"
#include "identity/people/users.h"
#include "versions/shared_versions.h"

namespace tradepost::ctl {

// Ends the command with exit code 1 and this line, which says what to do.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The same with exit code 2.
struct WrongUsage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Context {
public:
    // As they stand on the command line.
    std::string config_file, instance;
    bool json = false;

    // What the command line asks for; returns the exit code. Set while it is parsed, run afterwards.
    std::function<int()> action;

    // The file that --config or --instance names. Throws WrongUsage when neither does, or both.
    std::string config_path() const;

    // Read at the first call. Throws core::ConfigError, or WrongUsage as config_path() does.
    const core::Config& config();

    // Connects at the first statement. A statement may take ten minutes: an import's commit, a migration. Throws when the workers
    // could not be told of changes, saying as which user to run.
    db::Connection& connection();

    core::Time now() const { return clock.now(); }
    core::SystemClock clock;

    // One row each. Throw Failure when there is none.
    identity::User user(const std::string& email);
    identity::Organisation organisation(const std::string& slug);

private:
    std::optional<core::Config> config_;
    std::unique_ptr<versions::SharedVersions> versions_;
    std::unique_ptr<db::Connection> connection_;
};

// The directory of the numbered SQL files: `named` if not empty, else db::migrations_directory().
std::string migrations_directory(const std::string& named);

// Any exception of a command as one line.
std::string one_line(const std::exception& error, const std::string& config_path);

}  // namespace tradepost::ctl
