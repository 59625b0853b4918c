#include "identity/people/enquiry_mail.h"

#include <algorithm>

#include "core/base64.h"
#include "core/crypto.h"
#include "core/present.h"

namespace tradepost::identity {

std::optional<EnquiryMail> parse_enquiry_mail(std::string_view name) {
    const auto found = std::find(enquiry_mail_names.begin(), enquiry_mail_names.end(), name);
    if (found == enquiry_mail_names.end()) return {};
    return EnquiryMail(found - enquiry_mail_names.begin());
}

std::optional<EnquiryMail> EnquiryMails::of(const core::Uuid& user_id, const core::Uuid& organisation_id) {
    const auto rows = connection_.query(std::string("SELECT ") + effective_enquiry_mail +
                                            " FROM memberships m JOIN users u ON u.id = m.user_id "
                                            "WHERE m.user_id = ? AND m.organisation_id = ? AND u.email IS NOT NULL LIMIT 1",
                                        {user_id, organisation_id});
    if (rows.empty()) return {};
    return core::present(parse_enquiry_mail(rows.front().text(0)));
}

bool EnquiryMails::set(const core::Uuid& user_id, const core::Uuid& organisation_id, EnquiryMail choice) {
    // What was to be told would else be in the first letter after another choice, months later.
    if (choice == EnquiryMail::none)
        connection_.execute("DELETE FROM enquiry_digests WHERE user_id = ? AND organisation_id = ?", {user_id, organisation_id});
    return connection_.execute(
               "UPDATE memberships m JOIN users u ON u.id = m.user_id SET m.enquiry_mail = ? "
               "WHERE m.user_id = ? AND m.organisation_id = ? AND u.email IS NOT NULL",
               {to_string(choice), user_id, organisation_id}) > 0;
}

std::vector<EnquiryReader> EnquiryMails::of_organisation(const core::Uuid& organisation_id) {
    std::vector<EnquiryReader> readers;
    // No LIMIT: all who want them, however many.
    const auto rows = connection_.query(
        std::string("SELECT m.user_id, ") + effective_enquiry_mail +
            " AS choice FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organisation_id = ? AND u.email IS NOT NULL "
            "AND u.disabled_at IS NULL HAVING choice <> 'NONE' ORDER BY m.user_id",
        {organisation_id});
    for (const auto& row : rows) readers.push_back({row.uuid(0), core::present(parse_enquiry_mail(row.text(1)))});
    return readers;
}

void EnquiryMails::note(const core::Uuid& user_id, const core::Uuid& organisation_id, const core::Uuid& enquiry_id) {
    // A membership may end meanwhile, and is none of the enquiry's business.
    connection_.execute(
        "INSERT INTO enquiry_digests (user_id, organisation_id, enquiry_id) "
        "SELECT m.user_id, m.organisation_id, ? FROM memberships m WHERE m.user_id = ? AND m.organisation_id = ? LOCK IN SHARE "
        "MODE",
        {enquiry_id, user_id, organisation_id});
}

namespace {

constexpr std::size_t token_length = 86, id_length = 16;

}  // namespace

std::string make_unsubscribe_token(std::string_view key, const Unsubscription& of) {
    auto ids = std::string(of.user_id.bytes()).append(of.organisation_id.bytes());
    return core::to_base64url(ids + core::hmac_sha256(key, "unsubscribe 1" + ids));
}

std::optional<Unsubscription> read_unsubscribe_token(std::string_view key, std::string_view token) {
    if (token.size() != token_length) return {};
    const auto bytes = core::from_base64url(token);
    if (!bytes || bytes->size() < 2 * id_length) return {};
    const std::string_view ids(*bytes);
    const Unsubscription of{core::Uuid::from_bytes(ids.substr(0, id_length)),
                            core::Uuid::from_bytes(ids.substr(id_length, id_length))};
    if (!core::equal_constant_time(make_unsubscribe_token(key, of), token)) return {};
    return of;
}

}  // namespace tradepost::identity
