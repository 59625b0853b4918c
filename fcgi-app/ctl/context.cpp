#include "ctl/context.h"

#include "core/email.h"
#include "db/health.h"
#include "db/migrations.h"
#include "http/error.h"
#include "identity/organisations/organisations.h"
#include "identity/people/users.h"

namespace tradepost::ctl {
namespace {

constexpr std::chrono::minutes longest_statement{10};

bool is_instance(const std::string& name) {
    return !name.empty() && name.front() != '.' &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == std::string::npos;
}

std::string explain(const db::Error& error, const std::string& config) {
    const std::string reason = error.what();
    if (const auto refused = db::refused_write(error); !refused.empty()) return refused;
    switch (error.code) {
        case 1045:
        case 1698:
            return "the database refuses the sign-in: correct user and password of [database] in " + config + ": " + reason;
        case 2026:
            return "the connection to the database cannot be encrypted: let tls_ca of [database] in " + config +
                   " name the CA of the server's certificate, which must be made for its host: " + reason;
        case 1044:
        case 1142:
            return "the database user lacks rights: grant them all on the database that [database] in " + config +
                   " names: " + reason;
        case 1049:
            return "the database does not exist: create it, or correct [database] name in " + config + ": " + reason;
        case 1054:
        case 1146:
            return "the database's schema is missing or old: run tradepostctl migrate: " + reason;
        case 1205:
        case 1213:
            return "others are changing the same rows, nothing was written: run the command again: " + reason;
        case db::transaction_too_large:
            return "the database takes no transaction of this size: raise wsrep_max_ws_rows, wsrep_max_ws_size or "
                   "max_binlog_cache_size on "
                   "its servers: " +
                   reason;
        case 1153:
            return "a row is larger than the server's max_allowed_packet: set that to 64M: " + reason;
        default:
            break;
    }
    if (dynamic_cast<const db::Unavailable*>(&error))
        return "the database cannot be reached: start it, or correct [database] in " + config + ": " + reason;
    return "the database failed: " + reason;
}

}  // namespace

std::string Context::config_path() const {
    if (!config_file.empty() && !instance.empty()) throw WrongUsage("--config and --instance exclude each other; keep one");
    if (!config_file.empty()) return config_file;
    if (instance.empty())
        throw WrongUsage("name the configuration: --config FILE, or --instance NAME for /etc/tradepost/NAME.toml");
    if (!is_instance(instance)) throw WrongUsage("--instance: a name of letters, digits, hyphens, dots and underscores");
    return "/etc/tradepost/" + instance + ".toml";
}

const core::Config& Context::config() {
    if (!config_) config_ = core::load_config(config_path());
    return *config_;
}

db::Connection& Context::connection() {
    if (!connection_) {
        // Never made here: what root makes, the workers could not open.
        versions_ = std::make_unique<versions::SharedVersions>(versions::versions_path(config()),
                                                               versions::VersionsFile::WhenMissing::leave);
        connection_ = std::make_unique<db::Connection>(config().database, longest_statement, versions_.get());
    }
    return *connection_;
}

identity::User Context::user(const std::string& email) {
    auto found = identity::Users(connection()).find_by_email(email);
    // Earlier releases took some addresses that are none.
    if (!found && !core::parse_email(email)) throw WrongUsage("--email: " + email + " is no email address");
    if (!found) throw Failure("there is no user " + email + ": see tradepostctl user list, or add it with tradepostctl user add");
    return *found;
}

identity::Organisation Context::organisation(const std::string& slug) {
    auto found = identity::Organisations(connection()).find_by_slug(slug);
    if (!found)
        throw Failure("there is no organisation " + slug + ": see tradepostctl org list, or add it with tradepostctl org add");
    return *found;
}

std::string migrations_directory(const std::string& named) {
    return named.empty() ? db::migrations_directory() : named;
}

std::string one_line(const std::exception& error, const std::string& config_path) {
    std::string text = error.what();
    if (const auto* database = dynamic_cast<const db::Error*>(&error))
        text = explain(*database, config_path.empty() ? "the configuration" : config_path);
    else if (const auto* api = dynamic_cast<const http::ApiError*>(&error))
        text = api->external;
    else if (dynamic_cast<const std::bad_alloc*>(&error))
        text = "out of memory";
    std::string line;
    for (const char c : text) {
        const bool control = static_cast<unsigned char>(c) < ' ' || c == 0x7f;
        if (!control)
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    return line;
}

}  // namespace tradepost::ctl
