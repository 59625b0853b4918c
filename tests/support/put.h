// Items as they should be in the database, whatever is there already; and without them.
#pragma once
#include <span>
#include <vector>

#include "resource/store.h"

namespace tradepost::test {

template <class T>
void put(writes::WriteTransaction& transaction, std::span<const T> items) {
    resource::Store<T> store(transaction);
    std::vector<core::Uuid> ids;
    for (const auto& item : items) ids.push_back(item.id);
    std::vector<T> written(items.begin(), items.end());
    store.write(written, store.find(ids));
}
template <class T>
void put(writes::WriteTransaction& transaction, const std::vector<T>& items) {
    put(transaction, std::span<const T>(items));
}

// Removes the item, if it is there.
template <class T>
void drop(writes::WriteTransaction& transaction, const core::Uuid& id) {
    resource::Store<T> store(transaction);
    for (const auto& item : store.find(std::span(&id, 1))) store.remove(item, item.updated_at);
}

}  // namespace tradepost::test
