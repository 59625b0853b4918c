#include "identity/sessions/second_factors.h"

#include <algorithm>

#include "audit/record.h"
#include "core/crypto.h"
#include "core/text.h"
#include "identity/sessions/totp.h"

namespace tradepost::identity {
using audit::Event;
namespace {

constexpr std::size_t recovery_code_bytes = 15;  // 120 random bits: a plain digest hides them
constexpr std::size_t group_length = 6;

// As it is shown: lower case, in groups.
std::string new_recovery_code() {
    const auto letters = core::lower_ascii(to_base32(core::random_bytes(recovery_code_bytes)));
    std::string code;
    for (std::size_t i = 0; i < letters.size(); i += group_length) code += (i ? "-" : "") + letters.substr(i, group_length);
    return code;
}

// People copy codes with other spaces, hyphens and letters' case than they were shown with.
std::string recovery_code_hash(std::string_view code) {
    auto letters = core::lower_ascii(code);
    std::erase_if(letters, [](char c) { return c == '-' || c == ' '; });
    return core::sha256(letters);
}

std::string without_spaces(std::string_view code) {
    std::string digits(code);
    std::erase(digits, ' ');
    return digits;
}

}  // namespace

SecondFactor SecondFactors::find(const core::Uuid& user_id) {
    const auto rows = connection_.query(
        "SELECT enabled_at, (SELECT COUNT(*) FROM recovery_codes c WHERE c.user_id = f.user_id) FROM second_factors f "
        "WHERE user_id = ? AND enabled_at IS NOT NULL LIMIT 1",
        {user_id});
    if (rows.empty()) return {};
    return {rows.front().time(0), rows.front().integer(1)};
}

bool SecondFactors::is_enabled(const core::Uuid& user_id) {
    return !connection_.query("SELECT 1 FROM second_factors WHERE user_id = ? AND enabled_at IS NOT NULL LIMIT 1", {user_id})
                .empty();
}

std::optional<std::string> SecondFactors::begin(const core::Uuid& user_id, core::Time now) {
    const auto secret = new_totp_secret();
    return db::in_transaction(connection_, [&]() -> std::optional<std::string> {
        connection_.execute(
            "INSERT INTO second_factors (user_id, secret, created_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE "
            "secret = IF(enabled_at IS NULL, ?, secret), created_at = IF(enabled_at IS NULL, ?, created_at)",
            {user_id, db::Binary{secret}, now, db::Binary{secret}, now});
        if (is_enabled(user_id)) return {};
        return secret;
    });
}

std::optional<std::vector<std::string>> SecondFactors::enable(const core::Uuid& user_id, std::string_view code, core::Time now) {
    return db::in_transaction(connection_, [&]() -> std::optional<std::vector<std::string>> {
        const auto rows = connection_.query(
            "SELECT secret FROM second_factors WHERE user_id = ? AND enabled_at IS NULL LIMIT 1 FOR UPDATE", {user_id});
        if (rows.empty()) return {};
        const auto step = totp_step(rows.front().text(0), without_spaces(code), 0, now);
        if (!step) return {};
        connection_.execute("UPDATE second_factors SET enabled_at = ?, last_step = ?, failures = 0 WHERE user_id = ?",
                            {now, *step, user_id});
        audit::record(connection_, now, {.event = Event::second_factor_enabled, .user = user_id});
        return replace_recovery_codes(user_id);
    });
}

CodeVerdict SecondFactors::check(const core::Uuid& user_id, std::string_view code, core::Time now) {
    return db::in_transaction(connection_, [&] {
        // Locked, so that of two who type the same code at once one is refused, and attempts are counted one after another.
        const auto rows = connection_.query(
            "SELECT secret, last_step, failures, failed_at FROM second_factors WHERE user_id = ? AND enabled_at IS NOT NULL "
            "LIMIT 1 "
            "FOR UPDATE",
            {user_id});
        if (rows.empty()) return CodeVerdict::wrong;
        const auto& row = rows.front();
        const auto failed_at = row.opt_time(3);
        const auto failures = failed_at && now < *failed_at + code_failures_window ? row.integer(2) : 0;
        if (failures >= max_code_failures) return CodeVerdict::too_many;

        const auto step = totp_step(row.text(0), without_spaces(code), row.integer(1), now);
        if (step || take_recovery_code(user_id, code, now)) {
            connection_.execute("UPDATE second_factors SET last_step = ?, failures = 0 WHERE user_id = ?",
                                {step.value_or(row.integer(1)), user_id});
            return CodeVerdict::right;
        }
        connection_.execute("UPDATE second_factors SET failures = ?, failed_at = ? WHERE user_id = ?",
                            {failures + 1, now, user_id});
        return CodeVerdict::wrong;
    });
}

core::Time SecondFactors::opens_at(const core::Uuid& user_id, core::Time now) {
    const auto rows = connection_.query("SELECT failed_at FROM second_factors WHERE user_id = ? AND failures >= ? LIMIT 1",
                                        {user_id, max_code_failures});
    const auto failed_at = rows.empty() ? std::nullopt : rows.front().opt_time(0);
    return failed_at ? *failed_at + code_failures_window : now;
}

std::optional<std::vector<std::string>> SecondFactors::renew_recovery_codes(const core::Uuid& user_id, core::Time now) {
    return db::in_transaction(connection_, [&]() -> std::optional<std::vector<std::string>> {
        const auto enabled = connection_.query(
            "SELECT 1 FROM second_factors WHERE user_id = ? AND enabled_at IS NOT NULL LIMIT 1 FOR UPDATE", {user_id});
        if (enabled.empty()) return {};
        audit::record(connection_, now, {.event = Event::recovery_codes_renewed, .user = user_id});
        return replace_recovery_codes(user_id);
    });
}

bool SecondFactors::remove(const core::Uuid& user_id, core::Time now, IntegrationTokens tokens) {
    return db::in_transaction(connection_, [&] {
        const bool had =
            connection_.execute("DELETE FROM second_factors WHERE user_id = ? AND enabled_at IS NOT NULL", {user_id}) > 0;
        connection_.execute("DELETE FROM recovery_codes WHERE user_id = ?", {user_id});
        if (!had) return false;
        audit::record(connection_, now, {.event = Event::second_factor_disabled, .user = user_id});
        Issued(connection_).end_without_second_factor(user_id, now, tokens);
        return true;
    });
}

std::vector<std::string> SecondFactors::replace_recovery_codes(const core::Uuid& user_id) {
    connection_.execute("DELETE FROM recovery_codes WHERE user_id = ?", {user_id});
    std::vector<std::string> codes;
    for (int i = 0; i < recovery_code_count; ++i) {
        codes.push_back(new_recovery_code());
        const auto hash = recovery_code_hash(codes.back());
        connection_.execute("INSERT INTO recovery_codes (user_id, hash) VALUES (?, ?)", {user_id, db::Binary{hash}});
    }
    return codes;
}

bool SecondFactors::take_recovery_code(const core::Uuid& user_id, std::string_view code, core::Time now) {
    const auto hash = recovery_code_hash(code);
    if (!connection_.execute("DELETE FROM recovery_codes WHERE user_id = ? AND hash = ?", {user_id, db::Binary{hash}}))
        return false;
    audit::record(connection_, now, {.event = Event::recovery_code_used, .user = user_id});
    return true;
}

}  // namespace tradepost::identity
