#include "resources/enquiries/enquiry.h"

namespace tradepost::enquiries {
namespace {
constexpr std::string_view statuses[] = {"NEW", "READ", "REPLIED", "CLOSED", "SPAM"};
}  // namespace

std::optional<core::Time> replied_at(const Enquiry& enquiry, core::Time now) {
    if (enquiry.status == "REPLIED") return enquiry.replied_at ? enquiry.replied_at : now;
    // What is closed after a reply was replied to; what is open again was not.
    return enquiry.status == "CLOSED" ? enquiry.replied_at : std::nullopt;
}

std::span<const fields::Field<Enquiry>> sent_fields() {
    static const fields::Field<Enquiry> fields[] = {
        {"name", fields::rules::required_text(120), &Enquiry::name},
        {"email", fields::rules::of(fields::Kind::email), &Enquiry::email},
        {"phone", fields::rules::text(40), &Enquiry::phone},
        {"message", fields::rules::lines(5000, fields::Presence::required), &Enquiry::message},
    };
    return fields;
}

std::span<const fields::Field<Enquiry>> worked_fields() {
    static const fields::Field<Enquiry> fields[] = {
        {"status", fields::rules::choice(statuses, fields::Presence::defaulted), &Enquiry::status},
        {"note", fields::rules::lines(5000), &Enquiry::note},
    };
    return fields;
}

}  // namespace tradepost::enquiries
