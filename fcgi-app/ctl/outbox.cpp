// outbox
#include <algorithm>
#include <iostream>

#include "core/time.h"
#include "ctl/commands.h"
#include "ctl/output.h"
#include "outbox/stored.h"

namespace tradepost::ctl {
namespace {

struct OutboxOptions {
    std::string state, kind, target, id;
    std::size_t limit = 100;
    bool all = false;
};

outbox::Filter read(const OutboxOptions& options) {
    outbox::Filter filter{.state = options.state, .kind = options.kind, .target = options.target};
    if (!filter.state.empty() &&
        std::find(std::begin(outbox::states), std::end(outbox::states), filter.state) == std::end(outbox::states))
        throw WrongUsage("--state: must be waiting, delivered or dead");
    if (!options.id.empty() && !(filter.id = core::Uuid::parse(options.id))) throw WrongUsage("--id: must be a message's id");
    return filter;
}

// Without a filter a command would be about everything, which is rarely meant.
outbox::Filter read_chosen(const OutboxOptions& options) {
    const auto filter = read(options);
    const bool chosen = filter.id || !filter.state.empty() || !filter.kind.empty() || !filter.target.empty();
    if (chosen == options.all) throw WrongUsage("choose messages with --id, --state, --kind or --target, or all with --all");
    return filter;
}

Json document(const outbox::Stored& message, bool whole) {
    Json json{{"id", message.id.to_string()},
              {"kind", message.kind},
              {"target", message.target},
              {"state", message.state},
              {"createdAt", core::to_rfc3339(message.created_at)},
              {"attempts", message.attempts},
              {"attemptedAt", to_json(message.attempted_at)},
              {"result", to_json(message.result)}};
    if (!whole) return json;
    json["notBefore"] = core::to_rfc3339(message.not_before);
    json["organisationId"] = message.organisation_id ? Json(message.organisation_id->to_string()) : Json();
    json["status"] = message.status ? Json(*message.status) : Json();
    return json;
}

void add_filter(Command command, OutboxOptions& options) {
    command.option("--id", options.id, "only this message", "ID");
    command.option("--state", options.state, "only those that are waiting, delivered or dead", "STATE");
    command.option("--kind", options.kind, "only this kind, such as webhook or \"mail reset\"", "KIND");
    command.option("--target", options.target, "only those to this target, such as \"webhook ID\"", "TARGET");
}

// A command that changes the chosen messages and prints how many they were.
void add_change(Command group, Context& context, const std::string& name, const std::string& help,
                std::uint64_t (*change)(db::Connection&, const outbox::Filter&)) {
    const auto options = std::make_shared<OutboxOptions>();
    const auto command = group.add(name, help);
    add_filter(command, *options);
    command.flag("--all", options->all, "all of them");
    on(command, context, [&context, options, change] {
        const auto count = change(context.connection(), read_chosen(*options));
        if (context.json)
            print({{"messages", count}});
        else
            std::cout << count << (count == 1 ? " message\n" : " messages\n");
        return 0;
    });
}

// Delivered ones only when they are asked for: a receiver that was away for a night needs no week of webhooks.
std::uint64_t retry(db::Connection& connection, const outbox::Filter& filter) {
    if (filter.id || !filter.state.empty()) return outbox::retry(connection, filter);
    std::uint64_t count = 0;
    for (const auto* state : {"waiting", "dead"}) {
        auto each = filter;
        each.state = state;
        count += outbox::retry(connection, each);
    }
    return count;
}

std::uint64_t drop(db::Connection& connection, const outbox::Filter& filter) {
    return outbox::drop(connection, filter);
}

}  // namespace

void add_outbox_commands(Command app, Context& context) {
    const auto group = app.add_group("outbox", "letters, webhooks and push messages that wait, were delivered or could not be");
    const auto options = std::make_shared<OutboxOptions>();
    const auto list = group.add("list", "show messages, the newest last, without what they say");
    add_filter(list, *options);
    list.number("--limit", options->limit, 1, 100'000);
    on(list, context, [&context, options] {
        auto found = outbox::list(context.connection(), read(*options), int(options->limit));
        std::reverse(found.begin(), found.end());
        Json all = Json::array();
        for (const auto& each : found) all.push_back(document(each, context.json));
        print_list(all, context.json);
        return 0;
    });
    add_change(
        group, context, "retry",
        "queue messages anew, as if they had just been sent: dead ones, and those that wait for another attempt; delivered "
        "ones with --id or --state only",
        retry);
    add_change(group, context, "drop", "remove messages", drop);
}

}  // namespace tradepost::ctl
