// Described resources without their types, for what is done to all of them.
#pragma once
#include <map>

#include "db/pages.h"
#include "resource/store.h"

namespace tradepost::resource {

struct Table {
    std::string_view name, table, singular;  // as in the description
    std::string_view owner_index;
    const lists::CountedTable& (*counted)();
    // Store::relist(); null where the public sees nothing.
    void (*relist)(writes::WriteTransaction& transaction, const std::map<core::Uuid, bool>& published);
    // Writes every row again as it is, which derives the rest of it anew; each page in a transaction of its own, so that a service that runs
    // meanwhile waits for little. Returns how many.
    std::size_t (*rewrite)(db::Connection& connection);
    bool found_by_organisation;  // by the name of it
    // Writes the words of these rows again. They stay locked until the transaction ends.
    void (*write_words)(writes::WriteTransaction& transaction, std::span<const core::Uuid> ids);
    // Store::remove() of these rows of one organisation, which is locked. `now` is later than all polls of it.
    void (*remove)(writes::WriteTransaction& transaction, std::span<const core::Uuid> ids, core::Time now);
    std::string published;  // the condition in SQL of what its organisation publishes; empty where the public sees nothing
};

template <class T>
std::size_t rewrite(db::Connection& connection) {
    return db::each_page(connection, T::described().table, 200, [&](std::span<const core::Uuid> ids) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            Store<T> store(transaction);
            const auto rows = store.find(ids);
            auto items = rows;
            store.write(items, rows);
        });
    });
}

template <class T>
Table table_of() {
    const auto& is = T::described();
    Table table{.name = is.name,
                .table = is.table,
                .singular = is.singular,
                .owner_index = is.owner_index,
                .counted = Store<T>::counted,
                .relist = nullptr,
                .rewrite = rewrite<T>,
                .found_by_organisation = is.words.organisation,
                .write_words =
                    [](writes::WriteTransaction& transaction, std::span<const core::Uuid> ids) {
                        Store<T> store(transaction);
                        store.write_words(store.find(ids));
                    },
                .remove =
                    [](writes::WriteTransaction& transaction, std::span<const core::Uuid> ids, core::Time now) {
                        Store<T> store(transaction);
                        for (const auto& item : store.find(ids))
                            store.remove(item, std::max(now, item.updated_at + core::milliseconds(1)));
                    },
                .published = ""};
    if constexpr (is_public_kind<T>) {
        table.published = listed_sql(is);
        table.relist = [](writes::WriteTransaction& transaction, const std::map<core::Uuid, bool>& published) {
            Store<T>(transaction).relist(published);
        };
    }
    return table;
}

}  // namespace tradepost::resource
