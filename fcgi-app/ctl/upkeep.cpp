// prune, recount
#include "ctl/commands.h"
#include "ctl/output.h"
#include "repo/collections.h"
#include "repo/event_writer.h"
#include "repo/housekeeping_writer.h"
#include "repo/job_expiry.h"
#include "repo/job_writer.h"
#include "repo/organisations.h"
#include "repo/post_writer.h"
#include "repo/recount.h"
#include "repo/uploads.h"
#include "uploads/store.h"

namespace tradepost::ctl {
namespace {

// Writes every row again as it is, which derives the rest of it anew; each page in a transaction of its own, so that a service
// that runs meanwhile waits for little.
template <class Table>
std::size_t rewrite(db::Connection& connection) {
    std::size_t count = 0;
    for (std::optional<core::Uuid> last;;) {
        std::vector<core::Uuid> ids;
        for (const auto& item : repo::ContentWriter<Table>(connection).after(last, 200)) ids.push_back(item.id);
        if (ids.empty()) return count;
        db::in_transaction(connection, [&] {
            repo::ContentWriter<Table> writer(connection);
            writer.write(writer.find(ids, {}));
            writer.finish();
        });
        count += ids.size();
        last = ids.back();
    }
}

// And has everybody look again.
std::size_t recount_totals(db::Connection& connection, core::Time now) {
    const auto wrong = repo::recount_totals(connection);
    repo::unlist_expired_jobs(connection, now);
    db::in_transaction(connection, [&] {
        for (const auto collection : {repo::jobs_collection, repo::events_collection, repo::posts_collection, repo::stock_collection})
            repo::touch(connection, collection);
    });
    return wrong;
}

std::size_t sweep(Context& context) {
    const auto& directory = context.config().uploads.directory;
    try {
        return uploads::Store(directory).sweep(context.now() - std::chrono::hours(1), [&context](const auto& hashes) {
            return repo::Uploads(context.connection()).referred(hashes);
        });
    } catch (const std::system_error& error) {
        // nginx keeps what it writes to itself.
        if (error.code() != std::errc::permission_denied) throw;
        throw std::runtime_error(std::string(error.what()) + ": run prune as the owner of " + directory);
    }
}

}  // namespace

void add_prune_command(CLI::App& app, Context& context) {
    on(app.add_subcommand(
           "prune",
           "remove old tokens, idle sessions, old idempotency keys, uploads that nothing shows, and files without an upload"),
       context, [&context] {
           auto& connection = context.connection();
           const auto removed = repo::prune(connection, context.now());
           // Rows first: the files of those that went go now too, unless they are young.
           const auto files = sweep(context);
           if (context.json)
               print({{"tokens", removed.tokens},
                      {"sessions", removed.sessions},
                      {"idempotencyKeys", removed.idempotency_keys},
                      {"uploads", removed.uploads},
                      {"files", files}});
           else
               std::cout << "removed " << removed.tokens << " tokens, " << removed.sessions << " sessions, "
                         << removed.idempotency_keys << " idempotency keys, " << removed.uploads << " uploads, " << files
                         << " files\n";
           return 0;
       });
}

void add_recount_command(CLI::App& app, Context& context) {
    const auto totals_only = std::make_shared<bool>(false);
    auto* command = app.add_subcommand(
        "recount", "derive visibility, filter keys, search words and the lists' totals anew after rows were changed by SQL");
    command->add_flag("--totals", *totals_only, "the totals alone: quick, and enough where whole rows were added or deleted");
    on(command, context, [&context, totals_only] {
        auto& connection = context.connection();
        Json result = Json::object();
        if (!*totals_only)
            result = {{"jobs", rewrite<repo::JobTable>(connection)},
                      {"events", rewrite<repo::EventTable>(connection)},
                      {"posts", rewrite<repo::PostTable>(connection)}};
        result["wrongTotals"] = recount_totals(connection, context.now());
        if (context.json)
            print(result);
        else {
            if (!*totals_only)
                std::cout << "derived anew: " << result["jobs"] << " jobs, " << result["events"] << " events, " << result["posts"] << " posts\n";
            std::cout << "totals that were wrong: " << result["wrongTotals"] << "\n";
        }
        return 0;
    });
}

}  // namespace tradepost::ctl
