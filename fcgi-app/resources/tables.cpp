#include "resources/tables.h"

#include <vector>

#include "resources/enquiries/list.h"
#include "resources/enquiries/writer.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "resources/stock/stock_item.h"
#include "search/engines/words_state.h"

namespace tradepost::resources {

std::span<const resource::Table> tables() {
    static const resource::Table all[] = {
        resource::table_of<events::Event>(),
        resource::table_of<posts::Post>(),
        resource::table_of<jobs::Job>(),
        resource::table_of<stock::StockItem>(),
    };
    return all;
}

std::span<const lists::CountedTable* const> counted_tables() {
    static const auto all = [] {
        std::vector<const lists::CountedTable*> counted{&enquiries::counted_table()};
        for (const auto& table : tables()) counted.push_back(&table.counted());
        return counted;
    }();
    return all;
}

std::span<const WordsTable> words_tables() {
    static const auto all = [] {
        std::vector<WordsTable> found{{"enquiries", enquiries::write_words_again}};
        for (const auto& table : tables()) found.push_back({table.table, table.write_words});
        return found;
    }();
    return all;
}

std::size_t write_all_words(db::Connection& connection, const WordsTable& table) {
    const auto count = db::each_page(connection, table.name, 200, [&](std::span<const core::Uuid> ids) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) { table.write(transaction, ids); });
    });
    search::set_words_complete(connection, table.name);
    return count;
}

}  // namespace tradepost::resources
