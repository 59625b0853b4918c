// Writes that are not to last.
#pragma once
#include "writes/transaction.h"

namespace tradepost::test {

// Runs `work(transaction)` and rolls it back.
template <class Work>
void rolled_back(db::Connection& connection, Work&& work) {
    struct Enough {};
    try {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            work(transaction);
            throw Enough{};
        });
    } catch (const Enough&) {
    }
}

}  // namespace tradepost::test
