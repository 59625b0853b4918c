// Enquiries of the demo data.
#include "ctl/demo_enquiries.h"

#include <algorithm>

#include "ctl/demo_data.h"
#include "resources/enquiries/writer.h"

namespace tradepost::ctl::demo {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view about_stock[] = {
    "Is this one still available? I could come and look on Saturday morning.",
    "What is the lowest you would take for cash?",
    "Does it come with a service history, and would you take a part exchange?",
    "Could you send a few more photographs, of the underside in particular?",
    "How soon could you deliver to us, and what would that cost?",
};
constexpr std::string_view about_jobs[] = {
    "Is this post still open? I have six years in the trade and could start next month.",
    "Would you consider four days a week?",
    "Do you pay for training, and is there a workshop on site?",
};
constexpr std::string_view about_dealers[] = {
    "Do you buy from the trade? We have a few units that are too big for our yard.",
    "What are your opening hours over the bank holiday?",
    "We are looking for somebody to look after our fleet. Who should I speak to?",
};
constexpr std::string_view notes[] = {"Called back, no answer.", "Good customer of the other branch.", "Sent the price list.",
                                      "Coming on Saturday at ten."};
constexpr std::string_view statuses[] = {"NEW", "NEW", "NEW", "READ", "READ", "REPLIED", "REPLIED", "CLOSED", "SPAM"};

// Most are to whoever signs in to look around, and every fourth is theirs to somebody else.
enquiries::Enquiry enquiry(std::size_t n, const EnquiryTargets& targets, core::Time now) {
    Random random("enquiry", n);
    const auto& home = targets.organisations[0].id;
    const bool sent = n % 4 == 3 && targets.organisations.size() > 1;
    enquiries::Enquiry enquiry;
    enquiry.id = id("enquiry", n);
    enquiry.organisation_id = sent ? targets.organisations[1 + random.below(targets.organisations.size() - 1)].id : home;
    enquiry.type = "GENERAL";
    enquiry.message = random.pick(about_dealers);

    const auto place = random.below(targets.stock + 1) / 3 * 3 + (sent ? 1 : 0);
    const auto item = stock_item(place, targets.organisations, now);
    const auto job = demo::job(random.below(std::max<std::size_t>(targets.jobs, 1)), targets.organisations, now);
    if (place < targets.stock && random.chance(60) && item.status == "PUBLISHED" && (item.organisation_id == home) != sent) {
        enquiry.type = "STOCK";
        enquiry.stock_id = item.id;
        enquiry.organisation_id = item.organisation_id;
        enquiry.message = random.pick(about_stock);
    } else if (targets.jobs > 0 && job.status == "PUBLISHED" && (job.organisation.id == home) != sent) {
        enquiry.type = "JOB";
        enquiry.job_id = job.id;
        enquiry.organisation_id = job.organisation.id;
        enquiry.message = random.pick(about_jobs);
    }

    const auto first = person(random);
    enquiry.name = sent ? std::string("Demo User") : first;
    if (sent) enquiry.from_user_id = targets.user;
    if (sent || random.chance(80))
        enquiry.email = sent ? "demo@tradepost.example" : "enquiry" + std::to_string(n) + "@example.com";
    if (random.chance(50)) enquiry.phone = "01632 960" + std::to_string(100 + random.below(900));
    enquiry.status = random.pick(statuses);
    if (enquiry.status != "NEW" && random.chance(50)) enquiry.note = random.pick(notes);
    enquiry.created_at = now - std::chrono::minutes(random.below(30UL * 24 * 60)) - 2min;
    enquiry.updated_at = enquiry.status == "NEW"
                             ? enquiry.created_at
                             : std::min(now - 1min, enquiry.created_at + std::chrono::minutes(random.below(5UL * 24 * 60)));
    if (enquiry.status == "REPLIED") enquiry.replied_at = enquiry.updated_at;
    return enquiry;
}

}  // namespace

std::size_t write_enquiries(writes::WriteTransaction& transaction, std::size_t count, const EnquiryTargets& targets,
                            core::Time now) {
    enquiries::EnquiryWriter writer(transaction);
    std::size_t written = 0;
    for (std::size_t n = 0; n < count; ++n) {
        if (writer.find(id("enquiry", n))) continue;
        writer.insert(enquiry(n, targets, now));
        ++written;
    }
    return written;
}

}  // namespace tradepost::ctl::demo
