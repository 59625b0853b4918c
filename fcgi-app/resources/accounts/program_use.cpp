#include "resources/accounts/program_use.h"

#include <exception>

#include "api/route.h"
#include "api/write.h"
#include "core/crypto.h"
#include "core/log.h"
#include "core/text.h"
#include "db/bulk_insert.h"
#include "json/writer.h"
#include "resources/accounts/handlers.h"

namespace tradepost::accounts {
namespace {

constexpr std::size_t longest_parameter = 100;  // bytes
constexpr const char* others = "…";

std::string shown(std::string_view parameter) {
    if (!core::is_utf8(parameter) || parameter.size() > longest_parameter) return others;
    return std::string(parameter);
}

std::string kind_hash(const ProgramFailure& failure) {
    std::string text(failure.token_id.bytes());
    for (const auto& part : {failure.method, failure.route, std::to_string(failure.status), failure.code, failure.parameter})
        text.append("\n").append(part);
    return core::sha256(text).substr(0, 16);
}

}  // namespace

void ProgramUse::count_request(const core::Uuid& token_id, bool failed) {
    auto& day = days_[token_id];
    ++day.requests;
    if (failed) ++day.failures;
}

void ProgramUse::count_failure(std::span<const core::Uuid> organisations, ProgramFailure failure, const std::string& request_id,
                               core::Time now) {
    if (!failure.parameter.empty()) failure.parameter = failures_.size() < most_kinds ? shown(failure.parameter) : others;
    for (const auto& id : organisations) {
        auto& seen = failures_[{id, failure}];
        if (++seen.times == 1) seen.first = now;
        seen.last = now;
        seen.request_id = request_id;
    }
}

void ProgramUse::write(db::Connection& connection, core::Time now) noexcept {
    try {
        written_ = now;
        db::in_transaction(connection, [&] {
            db::BulkInsert days(connection, "token_days (token_id, day, requests, failures)",
                                "requests = requests + VALUES(requests), failures = failures + VALUES(failures)");
            for (const auto& [id, day] : days_)
                days.add(db::literal(id) + ", DATE(" + db::literal(now) + "), " + std::to_string(day.requests) + ", " +
                         std::to_string(day.failures));
            days.flush();
            write_failures(connection);
        });
    } catch (const std::exception& error) {
        core::log::warning("program_use_not_recorded", {{"error", error.what()}});
    }
    failures_.clear();
    days_.clear();
}

void ProgramUse::write_failures(db::Connection& connection) {
    std::map<core::Uuid, std::size_t> kinds;
    db::BulkInsert rows(
        connection,
        "program_failures (organisation_id, kind_hash, token_id, method, route, status, code, parameter, failures, "
        "first_at, last_at, request_id)",
        "failures = failures + VALUES(failures), last_at = VALUES(last_at), request_id = VALUES(request_id)");
    for (const auto& [key, seen] : failures_) {
        auto [organisation, failure] = key;
        if (!kinds.contains(organisation))
            kinds[organisation] =
                std::size_t(connection.query("SELECT COUNT(*) FROM program_failures WHERE organisation_id = ?", {organisation})
                                .at(0)
                                .integer(0));
        if (kinds[organisation]++ >= most_kinds && !failure.parameter.empty()) failure.parameter = others;
        rows.add(db::literal(organisation) + ", " + db::literal(db::Binary{kind_hash(failure)}) + ", " +
                 db::literal(failure.token_id) + ", " + db::literal(failure.method) + ", " + db::literal(failure.route) + ", " +
                 std::to_string(failure.status) + ", " + db::literal(failure.code) + ", " + db::literal(failure.parameter) +
                 ", " + std::to_string(seen.times) + ", " + db::literal(seen.first) + ", " + db::literal(seen.last) + ", " +
                 db::literal(seen.request_id));
    }
    rows.flush();
}

void ProgramUse::prune(db::Connection& connection, core::Time now) {
    for (const auto* from : {"program_failures WHERE last_at < ?", "token_days WHERE day < DATE(?)"})
        while (db::in_transaction(connection, [&] {
                   return connection.execute(std::string("DELETE FROM ") + from + " LIMIT 500", {now - use_is_kept});
               }) == 500) {
        }
}

namespace {

// The newest failures first, and how much each token of the organisation's people and programs was used.
http::Response get_failures(api::Call& call) {
    const auto organisation = own_role(call).first;
    auto& connection = call.services.connection;
    const auto since = call.services.clock.now() - use_is_kept;
    json::Writer writer;
    const auto write_token = [&](const db::Row& row, std::size_t first) {
        writer.name("token").begin_object().member("id", row.uuid(first)).member("name", row.opt_text(first + 1));
        writer.member("user", row.opt_text(first + 2)).end_object();
    };
    writer.begin_object().name("failures").begin_array();
    for (const auto& row : connection.query(
             "SELECT f.token_id, t.name, u.name, f.method, f.route, f.status, f.code, f.parameter, CAST(f.failures AS SIGNED), "
             "f.first_at, f.last_at, f.request_id FROM program_failures f FORCE INDEX (PRIMARY) LEFT JOIN api_tokens t ON t.id = "
             "f.token_id LEFT JOIN users u ON u.id = t.user_id WHERE f.organisation_id = ? AND f.last_at >= ? ORDER BY f.last_at "
             "DESC, f.kind_hash LIMIT 200",
             {organisation, since})) {
        writer.begin_object();
        write_token(row, 0);
        const auto parameter = row.text(7);
        writer.member("method", row.text(3))
            .member("route", row.text(4))
            .member("status", row.integer(5))
            .member("code", row.text(6));
        writer.member("parameter", parameter.empty() ? std::nullopt : std::optional(parameter)).member("count", row.integer(8));
        writer.member("firstAt", row.time(9)).member("lastAt", row.time(10)).member("requestId", row.text(11)).end_object();
    }
    writer.end_array().name("usage").begin_array();
    for (const auto& row : connection.query(
             "SELECT t.id, t.name, u.name, DATE_FORMAT(d.day, '%Y-%m-%d'), CAST(d.requests AS SIGNED), CAST(d.failures AS "
             "SIGNED) "
             "FROM memberships m FORCE INDEX (memberships_organisation) JOIN users u ON u.id = m.user_id JOIN api_tokens t FORCE "
             "INDEX (api_tokens_user) ON t.user_id = u.id JOIN token_days d FORCE INDEX (PRIMARY) ON d.token_id = t.id AND d.day "
             ">= "
             "DATE(?) WHERE m.organisation_id = ? ORDER BY d.day DESC, t.id LIMIT 500",
             {since, organisation})) {
        writer.begin_object();
        write_token(row, 0);
        writer.member("day", row.text(3)).member("requests", row.integer(4)).member("failures", row.integer(5)).end_object();
    }
    writer.end_array().end_object();
    return http::data(writer.text());
}

}  // namespace

std::span<const api::Route> failure_routes() {
    using namespace api;
    static const Route table[] = {
        {"GET", "/api/v1/accounts/failures", get_failures, {.needs = identity::Scope::account_read}},
    };
    return table;
}

}  // namespace tradepost::accounts
