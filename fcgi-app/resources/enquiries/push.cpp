#include "resources/enquiries/push.h"

#include <nlohmann/json.hpp>

#include "json/parse.h"
#include "outbox/queue.h"

namespace tradepost::enquiries {

void push(const core::Config& config, db::Connection& connection, const Enquiry& enquiry) {
    const auto& settings = config.push;
    const bool browsers = !settings.public_key.empty(), telephones = !settings.relay_url.empty();
    if (!browsers && !telephones) return;
    const std::string which = !telephones ? " AND n.platform = 'WEB'" : !browsers ? " AND n.platform <> 'WEB'" : "";
    std::vector<outbox::Message> messages;
    // The token itself is not written: it stands in no log, and the message says nothing to a device that was unregistered.
    for (const auto& row : connection.query(
             "SELECT LOWER(HEX(n.hash)) FROM memberships m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL JOIN "
             "notification_tokens n ON n.user_id = m.user_id WHERE m.organisation_id = ?" +
                 which + " ORDER BY n.hash",
             {enquiry.organisation_id}))
        messages.push_back({.kind = "push enquiry",
                            .target = "push " + row.text(0),
                            .payload = json::dump(json::Json{{"enquiryId", enquiry.id.to_string()}, {"tokenHash", row.text(0)}}),
                            .organisation_id = enquiry.organisation_id});
    if (!messages.empty()) outbox::send(connection, enquiry.created_at, messages);
}

}  // namespace tradepost::enquiries
