#include "support/patience.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tradepost::test {
namespace {

constexpr const char* file = "tests/support/patient.settings";

}  // namespace

core::Config patient_config() {
    auto config = core::load_config(file);
    const core::Config defaults;
    config.instance = defaults.instance;
    config.path = defaults.path;
    config.database.socket = defaults.database.socket;
    return config;
}

core::Config::Database impatient(core::Config::Database database) {
    const core::Config::Database defaults;
    database.connect_timeout = defaults.connect_timeout;
    database.answer_timeout = defaults.answer_timeout;
    database.lock_wait = defaults.lock_wait;
    database.hangs_after = defaults.hangs_after;
    return database;
}

std::string patient_settings() {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(std::string("cannot read ") + file);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace tradepost::test
