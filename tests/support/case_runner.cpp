#include "support/case_runner.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "app.h"
#include "core/text.h"
#include "support/answer_log.h"
#include "support/background.h"
#include "support/case_match.h"
#include "support/change_watch.h"
#include "support/fixture.h"
#include "support/patience.h"
#include "support/recount.h"
#include "support/search_server.h"
#include "versions/collection_versions.h"

namespace tradepost::test {
namespace {

constexpr const char* fixture_directory = "tests/api/fixture";
const core::Time start = *core::parse_rfc3339("2026-03-01T12:00:00Z");

core::milliseconds duration(const std::string& text) {
    std::size_t end = 0;
    const long long number = std::stoll(text, &end);
    const std::string unit = text.substr(end);
    const std::map<std::string, long long> units{{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
    const auto found = units.find(unit);
    if (found == units.end()) throw std::runtime_error("@clock: no such unit: " + unit);
    return core::milliseconds(number * found->second);
}

// A directory of its own, removed with everything in it.
struct TemporaryDirectory {
    TemporaryDirectory() : path((std::filesystem::temp_directory_path() / "tradepost-case-XXXXXX").string()) {
        if (!mkdtemp(path.data())) throw std::runtime_error("cannot make " + path);
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::string path;
};

bool is_search(std::string_view target) {
    return target.find("?q=") != std::string_view::npos || target.find("&q=") != std::string_view::npos;
}

bool has_directive(const Exchange& exchange, std::string_view name) {
    return std::any_of(exchange.before.begin(), exchange.before.end(), [&](const auto& each) { return each.name == name; });
}

bool holds(const CaseFile& file) {
    return std::any_of(file.exchanges.begin(), file.exchanges.end(),
                       [](const auto& each) { return has_directive(each, "hold"); });
}

bool is_feed(const http::Response& response) {
    return response.header("Content-Type") == "application/x-ndjson";
}

bool is_page(const http::Response& response) {
    return response.header("Content-Type") == "text/html; charset=utf-8";
}

// Its lines as the elements of a JSON array.
std::string as_list(std::string lines) {
    if (lines.empty()) return lines;
    if (lines.ends_with("\n")) lines.pop_back();
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 2) lines.replace(at, 1, ",\n");
    return "[" + lines + "]";
}

class Run {
public:
    Run(const CaseFile& file, const core::Config::Database& database, const SearchServer* search) : file_(file) {
        config_.database = database;
        config_.rate_limits.file = directory_.path + "/limits";
        config_.http.base_url = "https://api.example";
        config_.http.allowed_origins = {"https://app.example", "https://dealer.example:8443"};
        config_.instance = "cases";
        // Nothing is sent: what is to be delivered stays in the outbox.
        config_.mail.smtp = "smtp://localhost:1";
        config_.mail.from = "Marketplace <post@trade.example>";
        config_.uploads.directory = directory_.path + "/uploads";
        config_.uploads.quota_bytes = 100'000;
        std::filesystem::create_directory(config_.uploads.directory);
        if (search) config_.search = search->config();
        // The only tests of this limit: a search waits for a table that the file holds.
        if (holds(file)) config_.search.timeout = core::Config().search.timeout;
        config_.auth.argon2_memory_kib = 64;  // what it costs is tested elsewhere
        config_.auth.argon2_passes = 1;
        away_config_ = config_;
        away_config_.database.socket = directory_.path + "/no.sock";
        limiter_ = limits::make_limiter(config_, clock_);
        app_ = std::make_unique<App>(config_, clock_, *limiter_);
        watcher_ = std::make_unique<db::Connection>(database);
        if (search) indexers_ = indexers(*watcher_, config_.search);
        if (file.writes()) watch_ = std::make_unique<ChangeWatch>(*watcher_);
    }

    std::vector<std::string> exchange(const Exchange& exchange) {
        int times = 1;
        bool too_large = false;
        for (const auto& directive : exchange.before) {
            if (directive.name == "repeat")
                times = std::stoi(directive.argument);
            else if (directive.name == "too-large")
                too_large = true;
            else
                obey(directive);
        }
        http::Request request;
        request.method = exchange.method;
        request.target = expand(exchange.target, variables_);
        for (const auto& [name, value] : exchange.headers) request.headers.emplace_back(name, expand(value, variables_));
        request.body = expand(exchange.body, variables_);
        request.body_too_large = too_large;
        request.client_address = client_;
        for (int i = 1; i <= times; ++i) {
            if (is_search(request.target)) follow(indexers_);
            auto response = (away_ ? *away_ : *app_).handle(request);
            while (response.more) {
                const auto piece = response.more();
                response.body += piece;
                if (piece.empty()) response.more = nullptr;
            }
            if (response.after) response.after();
            if (watch_ && !holder_ && !away_) do_background_work(*watcher_);
            const std::string origin = file_.path + ":" + exchange.place();
            log_answer(request, response, origin);
            auto differences = compare(exchange, response);
            if (differences.empty()) continue;
            std::string text = origin + ": " + request.method + " " + request.target.substr(0, 200);
            if (times > 1) text += " (time " + std::to_string(i) + " of " + std::to_string(times) + ")";
            for (const auto& difference : differences) text += "\n    " + difference;
            text += "\n  the answer was " + std::to_string(response.status);
            for (const auto& [name, value] : response.headers) text += "\n    " + name + ": " + value;
            return {text + "\n    " + response.body.substr(0, 2000)};
        }
        return unrecorded(exchange);
    }

private:
    // Whoever writes rows that others follow records it, in every request (fcgi-app/changes/README.md).
    std::vector<std::string> unrecorded(const Exchange& exchange) {
        std::vector<std::string> all;
        if (!watch_ || holder_) return all;
        for (const auto& fault : watch_->faults())
            all.push_back(file_.path + ":" + exchange.place() + ": " + exchange.method + " " + exchange.target + ": " + fault);
        return all;
    }

    void obey(const Directive& directive) {
        const auto& [name, argument, line] = directive;
        if (name == "clock" && argument.starts_with("+")) {
            clock_.advance(duration(argument.substr(1)));
        } else if (name == "clock") {
            const auto time = core::parse_rfc3339(argument);
            if (!time) throw std::runtime_error("@clock: no time: " + argument);
            clock_.set(*time);
        } else if (name == "limit") {
            set_limit(directive);
        } else if (name == "client") {
            client_ = argument;
        } else if (name == "sql") {
            db::Connection connection(config_.database);
            connection.execute(expand(argument, variables_));
            if (watch_) watch_->start();
            recount_all(connection);  // as is to be done after changes by hand
            db::in_transaction(connection, [&] {
                std::set<std::string_view> collections;
                for (const auto* table : resources::counted_tables())
                    for (const auto* list : table->lists())
                        if (list->versioned) collections.insert(list->collection);
                for (const auto collection : collections) versions::touch(connection, collection);
            });
        } else if (name == "check") {
            check(directive);
        } else if (name == "hold") {
            holder_ = std::make_unique<db::Connection>(config_.database);
            holder_->execute("LOCK TABLES " + argument + " WRITE");
        } else if (name == "release") {
            holder_.reset();
        } else if (name == "database" && argument == "away") {
            away_ = std::make_unique<App>(away_config_, clock_, *limiter_);
        } else if (name == "database" && argument == "back") {
            away_.reset();
        } else {
            throw std::runtime_error(file_.path + ":" + std::to_string(line) + ": unknown directive @" + name + " " + argument);
        }
    }

    // "SETTING N", a key of [limits].
    void set_limit(const Directive& directive) {
        const auto space = directive.argument.find(' ');
        for (const auto& [key, value] : core::limit_settings)
            if (space != std::string::npos && directive.argument.substr(0, space) == key) {
                config_.limits.*value = std::stoull(directive.argument.substr(space + 1));
                return;
            }
        throw std::runtime_error(file_.path + ":" + std::to_string(directive.line) + ": no such limit: " + directive.argument);
    }

    // "VALUE = SELECT …": the one value of the one row, as text.
    void check(const Directive& directive) {
        const auto equals = directive.argument.find(" = ");
        if (equals == std::string::npos) throw std::runtime_error("@check: VALUE = SELECT … wanted");
        db::Connection connection(config_.database);
        const auto rows = connection.query(expand(directive.argument.substr(equals + 3), variables_));
        const std::string got = rows.size() == 1 ? rows[0].opt_text(0).value_or("NULL") : std::to_string(rows.size()) + " rows";
        const std::string expected = expand(directive.argument.substr(0, equals), variables_);
        if (got != expected)
            throw std::runtime_error(file_.path + ":" + std::to_string(directive.line) + ": the database has " + got + ", not " +
                                     expected);
    }

    std::vector<std::string> compare(const Exchange& exchange, const http::Response& response) {
        std::vector<std::string> found = conventions(exchange, response);
        if (response.status != exchange.status)
            found.push_back("status: expected " + std::to_string(exchange.status) + ", got " + std::to_string(response.status));
        for (const auto& [name, value] : exchange.expected_headers) {
            const auto actual = response.header(name);
            if (!value && actual) found.push_back("header " + name + ": expected none, got " + std::string(*actual));
            if (!value) continue;
            const auto expected = expand(*value, variables_);
            if (!actual || !matches(expected, *actual))
                found.push_back("header " + name + ": expected " + expected + ", got " +
                                (actual ? std::string(*actual) : "none"));
        }
        const auto body = is_feed(response) ? as_list(response.body) : response.body;
        for (auto& difference : body_differences(expand(exchange.expected_body, variables_), body))
            found.push_back(std::move(difference));
        if (found.empty()) capture(exchange, response);
        return found;
    }

    // Holds for every response (API rules, "Conventions"), so that no case repeats it.
    static std::vector<std::string> conventions(const Exchange& exchange, const http::Response& response) {
        std::vector<std::string> found;
        const auto want = [&](bool holds, const char* rule) {
            if (!holds) found.push_back(std::string("every answer: ") + rule);
        };
        want(response.header("X-Request-Id").value_or("").size() > 0, "has an X-Request-Id");
        want(response.header("X-Content-Type-Options") == "nosniff", "has X-Content-Type-Options: nosniff");
        const bool is_problem = response.header("Content-Type") == "application/problem+json";
        want(is_feed(response) || is_page(response) || is_problem ||
                 response.header("Content-Type") == "application/json; charset=utf-8",
             "has the content type of JSON");
        for (const auto& [name, value] : response.headers) {
            const auto same = [&n = name](const auto& other) { return core::lower_ascii(other.first) == core::lower_ascii(n); };
            want(std::count_if(response.headers.begin(), response.headers.end(), same) == 1, "names no header twice");
            want(value.find_first_of("\r\n") == std::string::npos, "has no line break in a header");
        }
        if (exchange.method == "HEAD" || response.status == 304) {
            want(response.body.empty(), "to HEAD, and 304, has no body");
            return found;
        }
        if (is_page(response)) {
            want(response.body.starts_with("<!DOCTYPE html>\n"), "that is a page says so");
            want(response.header("Content-Security-Policy").value_or("").starts_with("default-src 'none'; "),
                 "that is a page loads nothing");
            return found;
        }
        if (is_feed(response)) {
            want(response.body.empty() || response.body.ends_with("\n"), "that is a feed ends each line");
            return found;
        }
        const auto body = nlohmann::json::parse(response.body, nullptr, false);
        if (is_problem) {
            want(body.is_object() && body.value("status", 0) == response.status && body.contains("code"),
                 "that is a problem has status and code");
            return found;
        }
        const char* member = response.status < 400 ? "data" : "error";
        want(body.is_object() && body.size() == 1 && body.contains(member), "has one member, data or error");
        want(response.status < 400 || (body.is_object() && body.contains("error") && body["error"].is_string()),
             "that failed has a text");
        want(response.status != 204, "has a body: never 204");
        return found;
    }

    void capture(const Exchange& exchange, const http::Response& response) {
        for (const auto& [name, source] : exchange.captures) {
            if (!source.starts_with("/")) {
                variables_[name] = std::string(response.header(source).value());
                continue;
            }
            const auto value = nlohmann::json::parse(response.body).at(nlohmann::json::json_pointer(source));
            variables_[name] = value.is_string() ? value.get<std::string>() : value.dump();
        }
    }

    const CaseFile& file_;
    TemporaryDirectory directory_;
    core::Config config_ = patient_config(), away_config_;
    core::ManualClock clock_{start};
    std::unique_ptr<limits::Limiter> limiter_;
    std::unique_ptr<App> app_, away_;
    std::unique_ptr<db::Connection> holder_;
    std::unique_ptr<db::Connection> watcher_;
    std::unique_ptr<ChangeWatch> watch_;
    std::vector<std::unique_ptr<search::Indexer>> indexers_;  // with a search server
    std::string client_ = "198.51.100.1";
    Variables variables_;
};

}  // namespace

CaseDatabases::CaseDatabases() {
    db::Connection connection(filled_.config(), std::chrono::seconds(60));
    load_fixture(connection, fixture_directory);
    read_.copy_rows(filled_);
}

const core::Config::Database& CaseDatabases::for_writing() {
    written_.copy_rows(filled_);
    return written_.config();
}

bool searches(const CaseFile& file) {
    const auto stands_still = [](const Exchange& exchange) {
        return has_directive(exchange, "hold") || has_directive(exchange, "database");
    };
    return std::any_of(file.exchanges.begin(), file.exchanges.end(), [](const auto& each) { return is_search(each.target); }) &&
           std::none_of(file.exchanges.begin(), file.exchanges.end(), stands_still);
}

std::vector<std::string> run_case(const CaseFile& file, CaseDatabases& databases, const SearchServer* search) {
    std::optional<Run> run;
    for (const auto& exchange : file.exchanges) {
        if (!run || exchange.anew) {
            run.reset();
            run.emplace(file, file.writes() ? databases.for_writing() : databases.for_reading(), search);
        }
        if (auto failures = run->exchange(exchange); !failures.empty()) return failures;
    }
    return {};
}

}  // namespace tradepost::test
