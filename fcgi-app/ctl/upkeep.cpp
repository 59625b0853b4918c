// prune, recount
#include <algorithm>
#include <iostream>

#include "counts/table.h"
#include "ctl/commands.h"
#include "ctl/housekeeping.h"
#include "ctl/output.h"
#include "files/store.h"
#include "resources/jobs/expiry.h"
#include "resources/tables.h"
#include "resources/uploads/rows.h"
#include "search/engines/words_state.h"
#include "versions/collection_versions.h"

namespace tradepost::ctl {
namespace {

std::size_t sweep(Context& context) {
    const auto& directory = context.config().uploads.directory;
    try {
        return files::Store(directory).sweep(context.now() - std::chrono::hours(1), [&context](const auto& hashes) {
            return uploads::Uploads(context.connection()).referenced(hashes);
        });
    } catch (const std::system_error& error) {
        // nginx keeps what it writes to itself.
        if (error.code() != std::errc::permission_denied) throw;
        throw std::runtime_error(std::string(error.what()) + ": run prune as the owner of " + directory);
    }
}

}  // namespace

std::size_t recount_totals(db::Connection& connection, core::Time now) {
    // First, since whoever is interrupted takes an instance with all totals for finished.
    jobs::unlist_expired_jobs(connection, now);
    std::size_t wrong = 0;
    for (const auto* table : resources::counted_tables()) wrong += counts::recount(connection, *table);
    writes::write(connection, [](writes::WriteTransaction& transaction) {
        for (const auto* table : resources::counted_tables())
            for (const auto* list : table->lists())
                if (list->versioned) transaction.changed(list->collection);
    });
    return wrong;
}

bool totals_are_kept(db::Connection& connection) {
    const auto& tables = resources::counted_tables();
    return std::all_of(tables.begin(), tables.end(),
                       [&](const auto* table) { return counts::scheme_of(connection, *table) == counts::counting_scheme; });
}

void add_prune_command(Command app, Context& context) {
    on(app.add("prune",
               "remove old tokens, idle sessions, old idempotency keys, unattached uploads, files without an upload, "
               "notification tokens that no device registers again, events of the audit log older than 400 days or beyond "
               "limits.organisation_audit_rows, counts that "
               "say nothing, changes that all readers have taken, messages that were delivered 7 or given up 90 days ago, and "
               "enquiries older than privacy.enquiry_retention"),
       context, [&context] {
           auto& connection = context.connection();
           const auto lease = begin_alone(context, "prune");
           if (!lease) return 0;
           std::optional<core::Time> enquiries_before;
           if (const auto retention = context.config().privacy.enquiry_retention)
               enquiries_before = retention->before(context.now());
           const auto removed =
               ctl::prune(connection, context.now(), enquiries_before, context.config().limits.organisation_audit_rows);
           // Rows first: the files of those that went go now too, unless they are young.
           const auto files = sweep(context);
           if (context.json)
               print({{"tokens", removed.tokens},
                      {"sessions", removed.sessions},
                      {"idempotencyKeys", removed.idempotency_keys},
                      {"uploads", removed.uploads},
                      {"files", files},
                      {"notificationTokens", removed.notification_tokens},
                      {"auditEvents", removed.audit_events},
                      {"deletions", removed.deletions},
                      {"enquiries", removed.enquiries},
                      {"counts", removed.counts},
                      {"changes", removed.changes},
                      {"messages", removed.messages}});
           else
               std::cout << "removed " << removed.tokens << " tokens, " << removed.sessions << " sessions, "
                         << removed.idempotency_keys << " idempotency keys, " << removed.uploads << " uploads, " << files
                         << " files, " << removed.notification_tokens << " notification tokens, " << removed.audit_events
                         << " events of the audit log, " << removed.deletions << " deletions, " << removed.enquiries
                         << " enquiries, " << removed.counts << " rows of counts, " << removed.changes << " changes, "
                         << removed.messages << " messages\n";
           return 0;
       });
}

void add_recount_command(Command app, Context& context) {
    const auto totals_only = std::make_shared<bool>(false), missing = std::make_shared<bool>(false);
    const auto command = app.add(
        "recount", "derive visibility, filter keys, search words and totals of lists anew, after rows were changed by SQL");
    command.flag("--totals", *totals_only, "only the totals: faster, and enough after rows were added or deleted");
    command.flag("--missing", *missing, "only the totals, and only when this release cannot use those that are kept");
    on(command, context, [&context, totals_only, missing] {
        auto& connection = context.connection();
        if (*missing && totals_are_kept(connection)) {
            if (context.json)
                print(Json::object());
            else
                std::cout << "nothing to do: the totals of all lists are kept\n";
            return 0;
        }
        const auto lease = begin_alone(context, "recount");
        if (!lease) return 1;
        Json result = Json::object();
        if (*totals_only || *missing) {
            // Filters compare columns that an upgrade has added and that are empty in rows of before.
            for (const auto& table : resources::tables())
                if (table.table == "stock_items" && counts::scheme_of(connection, table.counted()) != counts::counting_scheme)
                    table.rewrite(connection);
        } else {
            std::string derived;
            for (const auto& table : resources::tables()) {
                const auto count = table.rewrite(connection);
                search::set_words_complete(connection, table.table);
                result[std::string(table.name)] = count;
                derived += (derived.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(table.name);
            }
            if (!context.json) std::cout << "derived anew: " << derived << "\n";
        }
        const auto wrong = recount_totals(connection, context.now());
        result["wrongTotals"] = wrong;
        if (context.json)
            print(result);
        else
            std::cout << "totals that were wrong: " << wrong << "\n";
        return 0;
    });
}

}  // namespace tradepost::ctl
