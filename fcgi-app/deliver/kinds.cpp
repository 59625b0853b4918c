#include "deliver/kinds.h"

#include "deliver/background.h"
#include "deliver/email_change.h"
#include "deliver/enquiries.h"
#include "deliver/fetch.h"
#include "deliver/mail.h"
#include "deliver/push.h"
#include "deliver/webhook.h"
#include "resources/accounts/background.h"
#include "resources/uploads/fetching.h"
#include "webhooks/announce.h"

namespace tradepost::deliver {
namespace {

outbox::Outcome log_only(Sending&, const outbox::Delivery&) {
    return outbox::Outcome::delivered("nothing to do");
}

// Somebody waits for these letters in front of a screen, so nothing else uses their senders.
constexpr std::string_view letter_lane = "letters";
constexpr std::string_view enquiry_lane = "enquiries", webhook_lane = "webhooks", push_lane = "push", image_lane = "images";

// Of releases that run at the same time, each sends what its own lanes have: a lane may be added, and its name stays.
constexpr Lane all_lanes[] = {
    {.name = letter_lane, .senders = 3, .most_of_one = 1},
    {.name = enquiry_lane, .senders = 3, .most_of_one = 1},
    {.name = webhook_lane, .senders = 12, .most_of_one = 3, .slow_wait = true},
    {.name = push_lane, .senders = 3, .most_of_one = 1},
    {.name = image_lane, .senders = 6, .most_of_one = 2},
    {.name = "", .senders = 2, .most_of_one = 1},
};

// A row for each kind.
const Kind kinds[] = {
    {.name = uploads::fetch_kind, .lane = image_lane, .send = fetch_image, .given_up = give_up_image},
    {.name = "mail digest", .lane = enquiry_lane, .send = send_digest},
    {.name = "mail email-change", .lane = letter_lane, .send = send_email_change},
    {.name = "mail email-warning", .lane = letter_lane, .send = send_email_warning},
    {.name = "mail enquiry", .lane = enquiry_lane, .send = send_enquiry},
    {.name = "mail invitation", .lane = letter_lane, .send = send_invitation},
    {.name = "mail reset", .lane = letter_lane, .send = send_reset},
    {.name = "mail token", .lane = letter_lane, .send = send_token_letter},
    {.name = "mail webhook", .lane = letter_lane, .send = send_webhook_disabled},
    {.name = "nothing", .send = log_only, .stays_inside = true},  // shows an operator that messages are delivered
    {.name = accounts::renaming_kind, .send = follow_renaming, .stays_inside = true},
    {.name = "push enquiry", .lane = push_lane, .send = send_push},
    {.name = accounts::removal_kind, .send = remove_user, .stays_inside = true},
    {.name = webhooks::webhook_kind, .lane = webhook_lane, .send = send_webhook, .keep = true, .given_up = give_up_webhook},
    {.name = webhooks::twice_kind, .lane = webhook_lane, .send = send_webhook_twice, .keep = true, .given_up = give_up_webhook},
};

}  // namespace

std::span<const Lane> lanes() {
    return all_lanes;
}

const Kind* find_kind(std::string_view name) {
    for (const auto& kind : kinds)
        if (kind.name == name) return &kind;
    return nullptr;
}

}  // namespace tradepost::deliver
