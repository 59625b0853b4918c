#include "domain/enquiry.h"

namespace tradepost::domain {
namespace {
constexpr std::string_view statuses[] = {"NEW", "READ", "REPLIED", "CLOSED", "SPAM"};
}  // namespace

std::span<const Field<Enquiry>> sent_fields() {
    static const Field<Enquiry> fields[] = {
        {"name", rules::required_text(120), &Enquiry::name},
        {"email", rules::of(Kind::email), &Enquiry::email},
        {"phone", rules::text(40), &Enquiry::phone},
        {"message", rules::required_text(5000), &Enquiry::message},
    };
    return fields;
}

std::span<const Field<Enquiry>> worked_fields() {
    static const Field<Enquiry> fields[] = {
        {"status", rules::choice(statuses, Presence::defaulted), &Enquiry::status},
        {"note", rules::text(5000), &Enquiry::note},
    };
    return fields;
}

}  // namespace tradepost::domain
