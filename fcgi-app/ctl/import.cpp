// import
#include "ctl/import.h"

#include <iostream>

#include "audit/record.h"
#include "core/slug.h"
#include "core/text.h"
#include "ctl/commands.h"
#include "ctl/output.h"
#include "db/conflict.h"
#include "lists/horizon.h"

namespace tradepost::ctl {
namespace {

std::string read_organisation(const json::Json& value) {
    const json::Json* slug = &value;
    if (value.is_object()) {
        const auto member = value.find("slug");
        if (member == value.end())
            throw http::invalid_field("organisation", "must be an organisation's slug, or an object with its slug");
        slug = &*member;
    }
    if (!slug->is_string() || !core::is_slug(slug->get_ref<const std::string&>()))
        throw http::invalid_field("organisation", "must be an organisation's slug, or an object with its slug");
    return slug->get<std::string>();
}

}  // namespace

void Keys::add(const std::string& kind, const std::string& key, std::size_t line) {
    const auto [other, first] = lines_of_[kind].emplace(key, line);
    if (!first)
        throw lines_.fault(line, "the " + kind + " " + key + " is that of line " + std::to_string(other->second) + " too");
}

core::Time Times::of(const core::Uuid& organisation_id) {
    if (const auto known = held_.find(organisation_id); known != held_.end()) return known->second;
    const auto rows =
        connection_.query("SELECT polled_until FROM organisations WHERE id = ? LOCK IN SHARE MODE", {organisation_id});
    db::conflict_on(connection_, std::span(&organisation_id, 1));
    return held_[organisation_id] = lists::after_polls(clock_.now(), rows.at(0).opt_time(0));
}

Item read_item(const Lines& lines) {
    Item item;
    item.line = lines.number();
    item.object = json::parse(core::trim(lines.text()));
    if (!item.object.is_object()) throw http::invalid_field("body", "must be an object");
    const auto member = [&](const char* name) -> const json::Json* {
        const auto found = item.object.find(name);
        return found == item.object.end() || found->is_null() ? nullptr : &*found;
    };
    if (const auto* id = member("id")) {
        if (id->is_string()) item.id = core::Uuid::parse(id->get_ref<const std::string&>());
        if (!item.id) throw http::invalid_field("id", "must be a UUID");
    }
    if (const auto* slug = member("slug")) {
        if (!slug->is_string() || !core::is_slug(slug->get_ref<const std::string&>()))
            throw http::invalid_field("slug",
                                      "must be at most 120 lower-case letters, digits and inner hyphens, and no UUID and no part "
                                      "of a path, such as facets");
        item.slug = slug->get<std::string>();
    }
    item.names_organisation = item.object.contains("organisation");
    if (const auto* organisation = member("organisation")) item.organisation = read_organisation(*organisation);
    return item;
}

void record_import(db::Connection& connection, std::string_view kind, core::Time now, const Imported& result) {
    audit::record(connection, now,
                  {.event = audit::Event::imported,
                   .detail = std::string(kind) + ": " + std::to_string(result.added) + " added, " +
                             std::to_string(result.changed) + " changed"});
}

void add_import_command(Command app, Context& context) {
    struct Target {
        const char* name;
        Imported (*run)(db::Connection&, Lines&, const core::Clock&);
    };
    static constexpr Target targets[] = {{"users", import_users}, {"organisations", import_organisations},
                                         {"jobs", import_jobs},   {"events", import_events},
                                         {"posts", import_posts}, {"stock", import_stock}};
    const auto import = app.add_group("import", "add and update rows from a file of JSON lines, all of it or nothing");
    for (const auto& target : targets) {
        const auto path = std::make_shared<std::string>();
        const auto command = import.add(target.name, std::string("import ") + target.name);
        command.required("FILE", *path, "one JSON object per line; - is standard input");
        on(command, context, [&context, path, &target] {
            Lines lines(*path);
            const auto result = target.run(context.connection(), lines, context.clock);
            if (context.json)
                print({{"added", result.added}, {"changed", result.changed}, {"unchanged", result.unchanged}});
            else
                std::cout << target.name << ": " << result.added << " added, " << result.changed << " changed, "
                          << result.unchanged << " unchanged\n";
            return 0;
        });
    }
}

}  // namespace tradepost::ctl
