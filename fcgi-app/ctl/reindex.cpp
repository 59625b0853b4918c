// reindex
#include <iostream>
#include <thread>

#include "ctl/commands.h"
#include "ctl/housekeeping.h"
#include "ctl/output.h"
#include "engines/indexer.h"
#include "lists/words_state.h"
#include "resources/tables.h"
#include "resources/words.h"

namespace tradepost::ctl {
namespace {

// Whether the index that is searched is one of this database and this release.
bool is_usable(Context& context, const engines::SphinxIndex& described) {
    auto& connection = context.connection();
    const auto built = engines::searched_index(connection, described.table());
    if (!built) return false;
    db::SphinxQl server(context.config().search, std::chrono::seconds(10));
    return engines::trusted_state(connection, server, described, *built).has_value();
}

// With `missing`, only those that are unusable. tradepost-index builds these by itself too: then this waits for it.
void rebuild(Context& context, bool missing, Json& result) {
    auto& connection = context.connection();
    for (const auto& described : engines::sphinx_indexes(resources::counted_tables())) {
        const std::string table(described.table());
        engines::Indexer indexer(connection, context.config().search, described);
        std::optional<std::int64_t> rows;
        while (!missing || !is_usable(context, described)) {
            rows = indexer.rebuild([] { return true; });
            if (rows) break;
            if (!missing) throw Failure("the index of " + table + " is being built already: wait, or stop tradepost-index");
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
        if (!rows) continue;
        result["index of " + table] = *rows;
        if (!context.json) std::cout << "built the index of " << *rows << " " << table << "\n";
    }
}

}  // namespace

void add_reindex_command(Command app, Context& context) {
    const auto all = std::make_shared<bool>(false), missing = std::make_shared<bool>(false);
    const auto command = app.add("reindex",
                                 "write the words that the search finds, where this release has not written them yet, and build "
                                 "the indexes of a search server anew");
    command.flag("--all", *all, "of all rows, after rows were changed by SQL");
    command.flag("--missing", *missing, "of indexes only those that this release cannot use");
    on(command, context, [&context, all, missing] {
        auto& connection = context.connection();
        const auto lease = begin_alone(context, "reindex");
        if (!lease) return 1;
        Json result = Json::object();
        for (const auto& table : resources::words_tables()) {
            if (!*all && lists::words_complete(connection, table.name)) continue;
            const auto count = resources::write_all_words(connection, table);
            result[std::string(table.name)] = count;
            if (!context.json) std::cout << "wrote the words of " << count << " " << table.name << "\n";
        }
        if (context.config().search.is_sphinx()) rebuild(context, *missing && !*all, result);
        if (context.json)
            print(result);
        else if (result.empty())
            std::cout << "nothing to do: the words of all rows are written\n";
        return 0;
    });
}

}  // namespace tradepost::ctl
