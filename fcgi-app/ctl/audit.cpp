// audit
#include <algorithm>

#include "audit/events.h"
#include "audit/record.h"
#include "core/email.h"
#include "core/time.h"
#include "ctl/commands.h"
#include "ctl/output.h"

namespace tradepost::ctl {
namespace {

struct Options {
    std::string since, user, event, address;
    std::size_t limit = 100;
};

Json text(const std::optional<core::Uuid>& id) {
    return id ? Json(id->to_string()) : Json();
}

Json document(const audit::Found& found) {
    return {{"at", core::to_rfc3339(found.happened_at)},
            {"firstAt", core::to_rfc3339(found.first_at)},
            {"times", found.times},
            {"event", found.event},
            {"actor", found.actor},
            {"actorEmail", to_json(found.actor_email)},
            {"userId", text(found.user)},
            {"userEmail", to_json(found.user_email)},
            {"targetId", text(found.target)},
            {"organisationId", text(found.organisation)},
            {"organisation", to_json(found.organisation_slug)},
            {"address", found.address},
            {"requestId", found.request_id},
            {"detail", found.detail}};
}

// What fits on a screen.
Json line(const audit::Found& found) {
    const auto user = found.user ? to_json(found.user_email.value_or(found.user->to_string())) : Json();
    return {{"at", core::to_rfc3339(found.happened_at)},
            {"event", found.event},
            {"times", found.times},
            {"actor", found.actor_email.value_or(found.actor)},
            {"user", user},
            {"organisation", to_json(found.organisation_slug)},
            {"address", found.address},
            {"detail", found.detail}};
}

audit::Filter read(Context& context, const Options& options) {
    audit::Filter filter;
    if (!options.since.empty()) {
        filter.since = core::parse_rfc3339(options.since);
        if (!filter.since) filter.since = core::parse_date(options.since);
        if (!filter.since) throw WrongUsage("--since: must be a date or an RFC 3339 time, such as 2026-01-31T09:15:00Z");
    }
    if (!options.event.empty()) {
        if (!audit::is_event(options.event)) {
            std::string names;
            for (const auto name : audit::event_names) names += (names.empty() ? "" : ", ") + std::string(name);
            throw WrongUsage("--event: must be one of " + names);
        }
        filter.event = options.event;
    }
    if (!options.address.empty()) filter.address = options.address;
    // By id also one who is gone.
    if (!options.user.empty()) filter.user = core::Uuid::parse(options.user);
    if (!options.user.empty() && !filter.user) {
        if (!core::parse_email(options.user)) throw WrongUsage("--user: must be an email address or a user's id");
        filter.user = context.user(options.user).id;
    }
    return filter;
}

}  // namespace

void add_audit_command(Command app, Context& context) {
    const auto options = std::make_shared<Options>();
    const auto command = app.add(
        "audit",
        "show who signed in or failed to, and who changed passwords, tokens, users or roles, imported or exported: the newest "
        "events of the last 400 days, the newest last. Each is also a line of the log. /metrics counts those of the workers, not "
        "those of tradepostctl");
    command.option("--since", options->since, "only from this date or RFC 3339 time on", "TIME");
    command.option("--user", options->user, "only what this user did, or what was done to the account", "EMAIL|ID");
    command.option("--event", options->event, "only this event, such as sign_in_failed", "EVENT");
    command.option("--address", options->address, "only from this client address", "ADDRESS");
    command.number("--limit", options->limit, 1, 100'000);
    on(command, context, [&context, options] {
        auto found = audit::search(context.connection(), read(context, *options), int(options->limit));
        std::reverse(found.begin(), found.end());
        Json all = Json::array();
        for (const auto& each : found) all.push_back(context.json ? document(each) : line(each));
        print_list(all, context.json);
        return 0;
    });
}

}  // namespace tradepost::ctl
