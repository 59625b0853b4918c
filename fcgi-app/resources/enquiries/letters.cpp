#include "resources/enquiries/letters.h"

#include <nlohmann/json.hpp>

#include "identity/people/enquiry_mail.h"
#include "json/parse.h"
#include "outbox/queue.h"

namespace tradepost::enquiries {

core::Time next_digest(core::Time now, std::chrono::hours hour) {
    const auto today = std::chrono::floor<std::chrono::days>(now) + hour;
    return today > now ? today : today + std::chrono::days(1);
}

void send_letters(api::Call& call, writes::WriteTransaction& transaction, const Enquiry& enquiry) {
    const auto& mail = call.services.config.mail;
    if (!mail.is_configured()) return;
    auto& connection = transaction.connection();
    identity::EnquiryMails mails(connection);
    const auto now = call.services.clock.now();
    std::vector<outbox::Message> messages;
    for (const auto& reader : mails.of_organisation(enquiry.organisation_id)) {
        if (reader.user_id == enquiry.from_user_id) continue;
        const auto user = reader.user_id.to_string(), organisation = enquiry.organisation_id.to_string();
        outbox::Message message{.kind = "mail enquiry",
                                .target = "enquiries " + user + " " + organisation,
                                .payload = json::dump(json::Json{{"userId", user}, {"enquiryId", enquiry.id.to_string()}}),
                                .organisation_id = enquiry.organisation_id};
        if (reader.choice == identity::EnquiryMail::daily) {
            mails.note(reader.user_id, enquiry.organisation_id, enquiry.id);
            // One for each enquiry: the first that is due tells all, and the others find nothing left to tell.
            message.kind = "mail digest";
            message.target = "digest " + user + " " + organisation;
            message.payload = json::dump(json::Json{{"userId", user}, {"organisationId", organisation}});
            message.not_before = next_digest(now, mail.digest_hour);
        }
        messages.push_back(std::move(message));
    }
    if (!messages.empty()) outbox::send(connection, now, messages);
}

}  // namespace tradepost::enquiries
