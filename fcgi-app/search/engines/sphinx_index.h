// What the search server holds of a table: a document for each row, with its words, what its lists filter by, and what orders it. All of it is
// derived from the descriptions of the table's lists.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "lists/list.h"
#include "lists/selection.h"

namespace tradepost::search {

// Each table has two indexes on the server, TABLE_SHAPE_a and TABLE_SHAPE_b: one is searched, and `reindex` builds the other. SHAPE is another
// one when documents of this release differ from those of another release, so the indexes of both can be on one server.
class SphinxIndex {
public:
    // All lists of one table that have a `q`. Borrows their descriptions.
    explicit SphinxIndex(std::vector<const lists::List*> lists);

    std::string_view table() const { return lists_[0]->table; }
    std::string_view collection() const { return lists_[0]->collection; }
    // TABLE_SHAPE, the name of both indexes without their side, and its end: `_` and eight hexadecimal digits.
    const std::string& pair() const { return pair_; }
    std::string shape() const { return pair_.substr(table().size()); }
    std::string name(char side) const { return pair_ + "_" + side; }

    // The index as a section of the server's configuration. Its files are in `folder`.
    std::string definition(char side, const std::string& folder) const;

    // Changes with whatever makes documents of this release differ from those of another one.
    std::uint64_t fingerprint() const { return fingerprint_; }

    // A SELECT of the documents of `rows`, which is the FROM and WHERE of the table as `t`, and what a row of its result is as the values of
    // a REPLACE INTO one of the indexes. `number` is the row's number as a document.
    std::string select(std::string_view rows) const;
    static constexpr std::size_t id_column = 0;
    std::string columns() const;
    std::string document(const db::Row& row, std::uint64_t number) const;

    // The document that holds what a caller wants to be stored with the index, and the WHERE that finds it; no other search does. Rows have
    // the numbers below: the server finds documents faster in a dense range of numbers.
    static std::string note(std::int64_t first, std::int64_t second);
    static constexpr std::uint64_t note_number = 1ull << 62;
    static constexpr const char* is_note = "MATCH('@filters note')";

    // The id of a row whose document has these values of id_high and id_low.
    static core::Uuid id(std::int64_t high, std::int64_t low);

    // The attribute of the ids of a facet's values (counts::value_id()); 0 where a row has none.
    static std::string facet_attribute(const counts::Facet& facet);

    // The WHERE of a search, and the ORDER BY with the expressions that it needs, each with a comma in front.
    std::string where(const lists::Selection& selection, core::Time now) const;
    struct Order {
        std::string expressions, by;
    };
    static Order order(const lists::Selection& selection, core::Time now);

private:
    enum class Kind { number, time, boolean };
    struct Attribute {
        std::string_view column;
        Kind kind;
        bool never_ends;  // a missing time is later than all others, and not earlier
    };
    struct Keyword {
        std::string_view column;  // of texts, or of JSON arrays of texts with `texts`
        bool folded, texts;
    };
    void add(std::string_view column, Kind kind, bool never_ends = false);
    void add_keyword(std::string_view column, bool folded = false, bool texts = false);
    std::string columns_and_settings() const;  // as lines of the server's configuration
    std::string keyword(std::string_view column, std::string_view value) const;
    std::string match(const lists::Selection& selection) const;

    std::vector<const lists::List*> lists_;
    std::vector<std::string_view> words_;  // columns of words
    std::vector<Attribute> attributes_;
    std::vector<Keyword> keywords_;
    std::vector<const counts::Facet*> facets_;  // of the first list; the others have the same columns
    std::uint64_t fingerprint_;
    std::string pair_;
};

// Of all tables that have a list with a `q`.
std::vector<SphinxIndex> sphinx_indexes(std::span<const lists::CountedTable* const> tables);

}  // namespace tradepost::search
