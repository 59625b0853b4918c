// Who gets letters about new enquiries. A member who has not chosen gets them at once as an ADMIN, and none as a MEMBER: so somebody does,
// and not everybody.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"

namespace tradepost::identity {

enum class EnquiryMail : std::uint8_t { at_once, daily, none };

// In the order of EnquiryMail.
inline constexpr std::array<std::string_view, 3> enquiry_mail_names{"AT_ONCE", "DAILY", "NONE"};
inline constexpr std::string_view to_string(EnquiryMail choice) {
    return enquiry_mail_names[std::size_t(choice)];
}
std::optional<EnquiryMail> parse_enquiry_mail(std::string_view name);

// The choice in a query of `memberships m`.
inline constexpr const char* effective_enquiry_mail = "COALESCE(m.enquiry_mail, IF(m.role = 'ADMIN', 'AT_ONCE', 'NONE'))";

struct EnquiryReader {
    core::Uuid user_id;
    EnquiryMail choice;
};

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class EnquiryMails {
public:
    explicit EnquiryMails(db::Connection& connection) : connection_(connection) {}

    // Empty when the user is no member, or an integration, which gets no letters.
    std::optional<EnquiryMail> of(const core::Uuid& user_id, const core::Uuid& organisation_id);

    // False, without effect, in the same cases.
    bool set(const core::Uuid& user_id, const core::Uuid& organisation_id, EnquiryMail choice);

    // The members who want letters, with how, but for disabled ones.
    std::vector<EnquiryReader> of_organisation(const core::Uuid& organisation_id);

    // Notes the enquiry for the member's next daily letter. Inside the enquiry's transaction.
    void note(const core::Uuid& user_id, const core::Uuid& organisation_id, const core::Uuid& enquiry_id);

private:
    db::Connection& connection_;
};

// The links that end these letters without a sign-in: 86 characters for a URL, signed with HMAC-SHA-256 (RFC 2104) by `key`, 32 bytes. They
// do not expire, as a letter does not.
struct Unsubscription {
    core::Uuid user_id, organisation_id;
};
std::string make_unsubscribe_token(std::string_view key, const Unsubscription& of);
std::optional<Unsubscription> read_unsubscribe_token(std::string_view key, std::string_view token);

// The name of that key in InstanceKeys.
inline constexpr std::string_view unsubscribe_key = "unsubscribe";

}  // namespace tradepost::identity
