#include "identity/people/letter_limits.h"

#include <algorithm>

#include "core/crypto.h"
#include "core/email.h"
#include "identity/people/users.h"

namespace tradepost::identity {
namespace {

// Of the address as it goes out, since a domain can be written in many ways.
std::string recipient_key(std::string_view email) {
    const auto sent_to = core::wire_email(email);
    return "recipient " + email_key(sent_to ? sent_to->text() : email);
}

std::string organisation_key(const core::Uuid& id) {
    return "organisation " + id.to_string();
}

}  // namespace

core::milliseconds LetterLimits::wait(std::string_view key, int most, bool spaced, core::Time now) {
    const auto hash = core::sha256(key);
    // Whoever adds the row or finds it holds it until the end of the transaction: of two at once the second one sees what the first one counted.
    connection_.execute(
        "INSERT INTO letter_limits (key_hash, began_at, last_at, letters) VALUES (?, ?, ?, 0) ON DUPLICATE KEY UPDATE letters = "
        "letters",
        {db::Binary{hash}, now, now});
    const auto rows = connection_.query("SELECT began_at, last_at, letters FROM letter_limits WHERE key_hash = ? FOR UPDATE",
                                        {db::Binary{hash}});
    const auto& row = rows.at(0);
    const auto ends_at = row.time(0) + letter_window;
    const bool over = now >= ends_at;
    const auto letters = over ? 0 : row.integer(2);
    if (letters >= most) return ends_at - now;
    if (spaced && letters > 0) {
        const auto next_at =
            std::min<core::Time>(ends_at, row.time(1) + (letters == 1 ? second_letter_after : further_letter_after));
        if (now < next_at) return next_at - now;
    }
    connection_.execute("UPDATE letter_limits SET began_at = ?, last_at = ?, letters = ? WHERE key_hash = ?",
                        {letters == 0 ? now : row.time(0), now, letters + 1, db::Binary{hash}});
    return {};
}

std::optional<std::chrono::seconds> LetterLimits::count(std::string_view email, const std::optional<core::Uuid>& organisation_id,
                                                        core::Time now) {
    const auto recipient = recipient_key(email);
    auto longest = wait(recipient, most_letters_of_recipient, organisation_id.has_value(), now);
    if (organisation_id)
        longest = std::max(longest, wait(organisation_key(*organisation_id), most_letters_of_organisation, false, now));
    if (longest <= core::milliseconds(0)) return {};
    return std::chrono::ceil<std::chrono::seconds>(longest);
}

void LetterLimits::forget(std::string_view email) {
    remove(recipient_key(email));
}

void LetterLimits::forget(const core::Uuid& organisation_id) {
    remove(organisation_key(organisation_id));
}

void LetterLimits::remove(const std::string& key) {
    const auto hash = core::sha256(key);
    connection_.execute("DELETE FROM letter_limits WHERE key_hash = ?", {db::Binary{hash}});
}

}  // namespace tradepost::identity
