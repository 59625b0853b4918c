#include "deliver/kinds.h"

#include "deliver/email_change.h"
#include "deliver/enquiries.h"
#include "deliver/fetch.h"
#include "deliver/mail.h"
#include "deliver/push.h"
#include "deliver/webhook.h"
#include "resources/uploads/fetching.h"

namespace tradepost::deliver {
namespace {

outbox::Outcome log_only(Sending&, const outbox::Delivery&) {
    return outbox::Outcome::delivered("nothing to do");
}

// A row for each kind.
const Kind kinds[] = {
    {.name = uploads::fetch_kind, .send = fetch_image, .given_up = give_up_image},
    {.name = "mail digest", .send = send_digest},
    {.name = "mail email-change", .send = send_email_change},
    {.name = "mail email-warning", .send = send_email_warning},
    {.name = "mail enquiry", .send = send_enquiry},
    {.name = "mail invitation", .send = send_invitation},
    {.name = "mail reset", .send = send_reset},
    {.name = "mail webhook", .send = send_webhook_disabled},
    {.name = "nothing", .send = log_only},  // shows an operator that messages are delivered
    {.name = "push enquiry", .send = send_push},
    {.name = "webhook", .send = send_webhook, .keep = true, .given_up = give_up_webhook},
};

}  // namespace

const Kind* find_kind(std::string_view name) {
    for (const auto& kind : kinds)
        if (kind.name == name) return &kind;
    return nullptr;
}

}  // namespace tradepost::deliver
