// import
#include "ctl/import/import.h"

#include <iostream>

#include "audit/record.h"
#include "core/slug.h"
#include "core/text.h"
#include "ctl/commands.h"
#include "ctl/everything/everything.h"
#include "ctl/import/fields.h"
#include "ctl/import/foreign.h"
#include "ctl/limits.h"
#include "ctl/output.h"
#include "db/failure.h"
#include "identity/organisations/organisations.h"
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

Contradiction same_as(const std::string& field, const std::string& of, const std::string& key, std::size_t line) {
    return {field, "the " + field + of + " " + key + " is that of line " + std::to_string(line) + " too"};
}

Json faults_json(const Faults& faults, const Lines& lines) {
    auto all = Json::array();
    for (const auto& fault : faults.first()) {
        Json one{{"line", fault.line}};
        if (const auto key = lines.key(fault.line); !key.empty()) one["key"] = key;
        one["field"] = fault.field.empty() ? Json() : Json(fault.field);
        one["reason"] = fault.reason;
        all.push_back(std::move(one));
    }
    return all;
}

Json amounts_json(const Amounts& amounts) {
    auto all = Json::array();
    for (const auto& range : amounts.ranges())
        all.push_back({{"field", range.field},
                       {"currency", range.currency.empty() ? Json() : Json(range.currency)},
                       {"least", range.least},
                       {"most", range.most},
                       {"text", to_text(range)}});
    return all;
}

}  // namespace

void print_faults(const Faults& faults, const Lines& lines) {
    for (const auto& fault : faults.first())
        std::cout << printable(lines.place(fault.line)) << ": " << printable(fault.field) << (fault.field.empty() ? "" : ": ")
                  << printable(fault.reason) << "\n";
    if (const auto more = faults.count() - faults.first().size()) std::cout << more << " more faults are not shown\n";
}

Json import_document(const Imported& result, const Faults& faults, bool dry_run, const Lines& lines) {
    Json all{{"added", result.added}, {"changed", result.changed}, {"unchanged", result.unchanged}};
    if (dry_run || faults.count() > 0) {
        all["lines"] = result.lines;
        all["failed"] = faults.lines();
        all["failures"] = faults_json(faults, lines);
        all["dryRun"] = dry_run;
    }
    if (const auto amounts = amounts_json(result.amounts); dry_run && !amounts.empty()) all["amounts"] = amounts;
    return all;
}

// As a stock feed says it where both say the same.
void print_dry_run(const std::string& kind, const Imported& result, const Lines& lines) {
    const auto& faults = result.faults;
    print_faults(faults, lines);
    for (const auto& range : result.amounts.ranges()) std::cout << to_text(range) << "\n";
    std::cout << kind << ": " << result.lines << (result.lines == 1 ? " line, " : " lines, ") << faults.lines()
              << " with faults; would be " << result.added << " added, " << result.changed << " changed, " << result.unchanged
              << " unchanged\n";
}

void print_imported(const std::string& kind, const Imported& result) {
    std::cout << kind << ": " << result.added << " added, " << result.changed << " changed, " << result.unchanged
              << " unchanged\n";
}

namespace {

int run_import(Context& context, const std::string& kind, Importer* run, const std::string& path, bool dry_run) {
    Lines lines(path);
    try {
        const auto result = run(context.connection(), lines, context.clock, {context.config().auth, dry_run});
        if (dry_run) {
            if (context.json)
                print(import_document(result, result.faults, true, lines));
            else
                print_dry_run(kind, result, lines);
            return result.faults.count() > 0 ? 1 : 0;
        }
        if (context.json)
            print(import_document(result, {}, false, lines));
        else
            print_imported(kind, result);
        tell_of_limits(context, kind);
        return 0;
    } catch (const Faulty& faulty) {
        // A single one stands in the line of error.
        if (context.json)
            print(import_document({}, faulty.faults, false, lines));
        else if (faulty.faults.count() > 1)
            print_faults(faulty.faults, lines);
        throw;
    }
}

}  // namespace

void Keys::add(const std::string& field, const std::string& of, const std::string& key, std::size_t line) {
    const auto [other, first] = lines_of_[field + of].emplace(key, line);
    if (!first) throw same_as(field, of, key, other->second);
}

core::Uuid OrganisationIds::of(const std::string& slug, const std::string& field) {
    auto known = known_.find(slug);
    if (known == known_.end()) {
        const auto found = identity::Organisations(connection_).find_by_slug(slug);
        known = known_.emplace(slug, found ? std::optional(found->id) : std::nullopt).first;
    }
    if (!known->second) throw http::invalid_field(field, "there is no organisation " + slug);
    return *known->second;
}

void RowsOfLines::add_row(const core::Uuid& id, std::size_t line) {
    const auto [other, first] = rows_.emplace(id, line);
    if (!first) throw Contradiction("", "this is the same row as that of line " + std::to_string(other->second));
}

void RowsOfLines::add_reference(const core::Uuid& organisation_id, const std::string& reference, std::size_t line) {
    const auto [other, first] = references_.emplace(std::pair(organisation_id, reference), line);
    if (!first) throw same_as("reference", "", reference, other->second);
}

void RowsOfLines::forget() {
    rows_.clear();
    references_.clear();
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
    if (lines.is_too_long()) throw Contradiction("", "the line is longer than 4 MiB");
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
    const auto import_group = app.add_group("import", "add and update rows from a file of JSON lines, all of it or nothing");
    for (const auto& kind : import_kinds()) {
        struct Options {
            std::string path;
            bool dry_run = false;
        };
        const auto options = std::make_shared<Options>();
        const auto command = import_group.add(std::string(kind.name), "import " + std::string(kind.name));
        command.required("FILE", options->path, "one JSON object per line; - is standard input");
        command.flag("--dry-run", options->dry_run, "write nothing; list the first 100 faults, and how many rows would change");
        on(command, context, [&context, options, &kind] {
            return run_import(context, std::string(kind.name), kind.run, options->path, options->dry_run);
        });
    }
    everything::add_import_command(import_group, context);
    add_foreign_commands(import_group, context);
    const auto name = std::make_shared<std::string>();
    const auto fields = import_group.add("fields", "list the fields of a line, with their rules and an example of each");
    fields.required("KIND", *name, "users, organisations, jobs, events, posts or stock");
    on(fields, context, [&context, name] {
        print_list(import_fields(import_kind(*name)), context.json);
        return 0;
    });
    const auto example = import_group.add("example", "print a line with every field");
    example.required("KIND", *name, "users, organisations, jobs, events, posts or stock");
    on(example, context, [name] {
        std::cout << import_kind(*name).example << "\n";
        return 0;
    });
}

}  // namespace tradepost::ctl
