// The table of a ContentWriter as data, for what is done to all of them.
#pragma once
#include "writes/content_writer.h"
#include "writes/relist.h"

namespace tradepost::writes {

// Writes every row again as it is, which derives the rest of it anew; each page in a transaction of its own, so that a service
// that runs meanwhile waits for little. Returns how many.
template <class Table>
std::size_t rewrite(db::Connection& connection) {
    std::size_t count = 0;
    for (std::optional<core::Uuid> last;;) {
        std::vector<core::Uuid> ids;
        for (const auto& item : ContentWriter<Table>::after(connection, last, 200)) ids.push_back(item.id);
        if (ids.empty()) return count;
        write(connection, [&](WriteTransaction& transaction) {
            ContentWriter<Table> writer(transaction);
            writer.write(writer.find(ids, {}));
        });
        count += ids.size();
        last = ids.back();
    }
}

// Writes the words of these rows again. The rows stay locked until the transaction ends.
template <class Table>
void write_words(WriteTransaction& transaction, std::span<const core::Uuid> ids) {
    ContentWriter<Table> writer(transaction);
    writer.write_words(writer.find(ids, {}));
}

struct ContentTable {
    std::string_view name;
    const lists::CountedTable& (*counted)();
    void (*relist)(WriteTransaction& transaction, const std::map<core::Uuid, bool>& published);
    std::size_t (*rewrite)(db::Connection& connection);
};

template <class Table>
inline constexpr ContentTable content_table{Table::name, Table::counted, relist<Table>, rewrite<Table>};

}  // namespace tradepost::writes
