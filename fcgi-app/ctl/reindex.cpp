// reindex
#include <algorithm>
#include <iostream>
#include <list>
#include <thread>

#include "ctl/commands.h"
#include "ctl/housekeeping.h"
#include "ctl/output.h"
#include "resources/tables.h"
#include "search/engines/indexer.h"
#include "search/engines/words_state.h"

namespace tradepost::ctl {
namespace {

// Whether the index that is searched is one of this database and this release.
bool is_usable(Context& context, const search::SphinxIndex& described) {
    auto& connection = context.connection();
    const auto built = search::searched_index(connection, described);
    if (!built) return false;
    db::SphinxQl server(context.config().search, std::chrono::seconds(10));
    return search::trusted_state(connection, server, described, *built).has_value();
}

// Builds indexes, and follows the changes for those that are built until all are, unless tradepost-index does: after an upgrade the new workers
// find in each of them what was written meanwhile.
class Builder {
public:
    Builder(Context& context, bool missing) : context_(context), missing_(missing) {}

    void build(const search::SphinxIndex& described, Json& result) {
        std::list<Followed> one;
        one.emplace_back(context_, described);
        if (const auto rows = rebuilt(one.back().indexer)) {
            const std::string table(described.table());
            result["index of " + table] = *rows;
            if (!context_.json) std::cout << "built the index of " << *rows << " " << table << std::endl;
        }
        followed_.splice(followed_.end(), one);
    }

    void catch_up() try {
        while (follow()) {
        }
    } catch (const db::Unavailable&) {
        // tradepost-index goes on from here.
    }

private:
    struct Followed {
        Followed(Context& context, const search::SphinxIndex& described)
            : indexer(context.connection(), context.config().search, described) {}
        search::Indexer indexer;
        std::optional<db::Lease> lease;
    };

    // Empty when nothing is missing.
    std::optional<std::int64_t> rebuilt(search::Indexer& indexer) {
        const std::string table(indexer.described().table());
        for (int failures = 0;;) {
            try {
                await_index(indexer.described());
                if (missing_ && is_usable(context_, indexer.described())) return {};
                if (const auto rows = indexer.rebuild([this] { return follow(), true; })) return rows;
                // tradepost-index builds what is missing by itself too.
                if (!missing_) throw Failure("the index of " + table + " is being built already: wait, or stop tradepost-index");
            } catch (const db::Unavailable&) {
                // The server was started a moment ago, or crashed (search/README.md).
                if (!missing_ || ++failures == attempts) throw;
            } catch (const search::Interrupted&) {
                if (!missing_) throw;
            }
            std::this_thread::sleep_for(pause);
        }
    }

    // A server that is told to reload its configuration has new indexes within a second.
    void await_index(const search::SphinxIndex& described) {
        db::SphinxQl server(context_.config().search, std::chrono::seconds(10));
        const auto is_there = [&] {
            const auto indexes = server.query("SHOW TABLES");
            return std::any_of(indexes.begin(), indexes.end(),
                               [&](const auto& row) { return row.text(0) == described.name('a'); });
        };
        for (int failures = 0; !is_there(); std::this_thread::sleep_for(pause))
            if (++failures == attempts_of_reload)
                throw Failure("the search server has no index " + described.name('a') +
                              ": write its configuration again with tradepostctl config sphinx, and reload it");
    }

    // Whether there may be more.
    bool follow() {
        bool more = false;
        for (auto& each : followed_) {
            if (each.lease && !each.lease->renew()) {
                each.indexer.record_again();
                each.lease.reset();
            }
            each.indexer.confirm();
            if (!each.lease) {
                const auto lease = search::follower(each.indexer.described().pair());
                if (auto taken = db::Lease::take(context_.connection(), lease, lease_lifetime))
                    each.lease.emplace(std::move(*taken));
            }
            if (each.lease) more = each.indexer.follow([] { return true; }) || more;
        }
        return more;
    }

    static constexpr std::chrono::seconds lease_lifetime{60}, pause{1};
    static constexpr int attempts = 60, attempts_of_reload = 10;
    Context& context_;
    const bool missing_;
    std::list<Followed> followed_;
};

}  // namespace

void add_reindex_command(Command app, Context& context) {
    const auto all = std::make_shared<bool>(false), missing = std::make_shared<bool>(false),
               beside = std::make_shared<bool>(false);
    const auto command = app.add("reindex",
                                 "write the words that the search finds, where this release has not written them yet, and build "
                                 "the indexes of a search server anew");
    command.flag("--all", *all, "of all rows, after rows were changed by SQL");
    command.flag("--missing", *missing, "of indexes only those that this release cannot use");
    command.flag("--beside", *beside,
                 "only the missing indexes, and no words: before the workers of this release start, while those of the previous "
                 "one search its own indexes and write its words");
    on(command, context, [&context, all, missing, beside] {
        auto& connection = context.connection();
        std::vector<resources::WordsTable> unwritten;
        for (const auto& table : resources::words_tables())
            if (!*beside && (*all || !search::words_complete(connection, table.name))) unwritten.push_back(table);
        // Two processes may build missing indexes at once: each waits for the other's.
        const bool only_missing = (*missing || *beside) && !*all;
        std::unique_ptr<db::KeptLease> lease;
        if (!only_missing || !unwritten.empty()) {
            lease = begin_alone(context, "reindex");
            if (!lease) return 1;
        }
        Json result = Json::object();
        for (const auto& table : unwritten) {
            const auto count = resources::write_all_words(connection, table);
            result[std::string(table.name)] = count;
            if (!context.json) std::cout << "wrote the words of " << count << " " << table.name << "\n";
        }
        if (context.config().search.is_sphinx()) {
            Builder builder(context, only_missing);
            for (const auto& described : search::sphinx_indexes(resources::counted_tables()))
                if (search::words_complete(connection, described.table())) builder.build(described, result);
            builder.catch_up();
        }
        if (context.json)
            print(result);
        else if (result.empty())
            std::cout << (*beside ? "nothing to do: no index is missing\n"
                                  : "nothing to do: the words of all rows are written\n");
        return 0;
    });
}

}  // namespace tradepost::ctl
