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
    const auto state = engines::index_state(server, engines::SphinxIndex::name(described.table(), built->side));
    return state && engines::history_at(connection, described, *built, state->position) == state->history;
}

// With `missing`, those that are unusable, or older than the words of their rows. They wait for tradepost-index, which may be building one
// with words from before.
void rebuild(Context& context, bool missing, Json& result) {
    auto& connection = context.connection();
    engines::Indexer indexer(connection, context.config().search, engines::sphinx_indexes(resources::counted_tables()));
    for (const auto& described : indexer.indexes()) {
        const std::string table(described.table());
        const bool words_are_new = result.contains(table);
        if (missing && !words_are_new && is_usable(context, described)) continue;
        auto rows = indexer.rebuild(described, [] { return true; });
        while (!rows && missing) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            if (!words_are_new && is_usable(context, described)) break;
            rows = indexer.rebuild(described, [] { return true; });
        }
        if (!rows && missing) continue;
        if (!rows) throw Failure("the index of " + table + " is being built already: wait, or stop tradepost-index");
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
    command.flag("--missing", *missing, "of indexes only those that this release cannot use or whose words were missing");
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
        if (context.config().search.is_sphinx()) rebuild(context, *missing, result);
        if (context.json)
            print(result);
        else if (result.empty())
            std::cout << "nothing to do: the words of all rows are written\n";
        return 0;
    });
}

}  // namespace tradepost::ctl
