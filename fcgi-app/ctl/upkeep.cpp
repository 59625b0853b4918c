// prune, recount
#include <iostream>

#include "ctl/commands.h"
#include "ctl/housekeeping.h"
#include "ctl/output.h"
#include "files/store.h"
#include "lists/recount.h"
#include "lists/words_state.h"
#include "resources/jobs/expiry.h"
#include "resources/stock/list.h"
#include "resources/stock/writer.h"
#include "resources/tables.h"
#include "resources/uploads/rows.h"
#include "versions/collection_versions.h"

namespace tradepost::ctl {
namespace {

// And has everybody look again.
std::size_t recount_totals(db::Connection& connection, core::Time now) {
    std::size_t wrong = 0;
    for (const auto* table : resources::counted_tables()) wrong += lists::recount(connection, *table);
    jobs::unlist_expired_jobs(connection, now);
    writes::write(connection, [](writes::WriteTransaction& transaction) {
        for (const auto* table : resources::counted_tables())
            for (const auto* list : table->lists())
                if (list->versioned) transaction.changed(list->collection);
    });
    return wrong;
}

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

void add_prune_command(Command app, Context& context) {
    on(app.add("prune",
               "remove old tokens, idle sessions, old idempotency keys, unattached uploads, files without an upload, "
               "notification tokens that no device registers again, events of the audit log older than 400 days, counts that "
               "say nothing, changes that all readers have taken, messages that were delivered 7 or given up 90 days ago, and "
               "enquiries older than privacy.enquiry_retention"),
       context, [&context] {
           auto& connection = context.connection();
           const auto lease = begin_alone(context, "prune");
           if (!lease) return 0;
           std::optional<core::Time> enquiries_before;
           if (const auto retention = context.config().privacy.enquiry_retention)
               enquiries_before = retention->before(context.now());
           const auto removed = ctl::prune(connection, context.now(), enquiries_before);
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
    const auto totals_only = std::make_shared<bool>(false);
    const auto command = app.add(
        "recount", "derive visibility, filter keys, search words and totals of lists anew, after rows were changed by SQL");
    command.flag("--totals", *totals_only, "only the totals: faster, and enough after rows were added or deleted");
    on(command, context, [&context, totals_only] {
        auto& connection = context.connection();
        const auto lease = begin_alone(context, "recount");
        if (!lease) return 1;
        Json result = Json::object();
        if (*totals_only) {
            // Filters compare columns that an upgrade has added and that are empty in rows of before.
            if (lists::scheme_of(connection, stock::counted_table()) != lists::counting_scheme)
                stock::StockWriter::rewrite(connection);
        } else {
            std::string derived;
            for (const auto& table : resources::content_tables()) {
                const auto count = table.rewrite(connection);
                lists::set_words_complete(connection, table.name);
                result[std::string(table.name)] = count;
                derived += (derived.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(table.name);
            }
            const auto items = stock::StockWriter::rewrite(connection);
            result["stock"] = items;
            derived += ", " + std::to_string(items) + " stock";
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
