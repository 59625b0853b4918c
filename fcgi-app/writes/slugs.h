// Slugs that nobody has yet.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "writes/transaction.h"

namespace tradepost::writes {

// `base` (core::slugify()), or the first numbered form of it that no row of `table` has. Nothing is reserved: the insert may
// still find a duplicate key, and is then tried again with a new one.
std::string unique_slug(db::Connection& connection, std::string_view table, const std::string& base);

// The same for `title`, or for `kind` and the beginning of `id` when nothing of the title is left. From the third attempt of the transaction on, and after it
// has waited for another one in vain, it ends at random: many who want the next number at once would take turns at failing. So it does at
// once when another transaction holds the slug and the connection limits its waits for locks.
std::string new_slug(WriteTransaction& transaction, std::string_view table, std::string_view title, std::string_view kind,
                     const core::Uuid& id);

// The same for many rows of one transaction, in few statements.
class SlugMaker {
public:
    SlugMaker(db::Connection& connection, std::string_view table) : connection_(connection), table_(table) {}

    // Slugs that make() leaves alone: those that somebody is about to use.
    void reserve(const std::string& slug) { reserved_.insert(slug); }

    // Looks these up at once; make() then needs no statement for those that are free.
    void prepare(const std::vector<std::string>& bases);

    std::string make(const std::string& base);

private:
    std::set<std::string> taken_among(const std::vector<std::string>& slugs);

    db::Connection& connection_;
    std::string table_;
    std::unordered_set<std::string> reserved_;     // includes what was made
    std::unordered_map<std::string, bool> known_;  // whether the table has it
    std::unordered_map<std::string, int> last_;    // the number last used for a base
};

}  // namespace tradepost::writes
