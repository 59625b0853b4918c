#include "counts/table.h"

#include <algorithm>
#include <stdexcept>

#include "core/text.h"
#include "json/texts.h"

namespace tradepost::counts {
namespace {

constexpr std::size_t levels_of_sparse = 2;

// Hands every combination of at most `most` of the terms from `first` on, each in their order, to `use`.
struct CountedTerm {
    const Letter* letter;
    std::string_view value;
};
bool any_sparse(const std::vector<CountedTerm>& terms) {
    return std::any_of(terms.begin(), terms.end(), [](const auto& term) { return term.letter->detail == Detail::sparse; });
}
void combine(const std::vector<CountedTerm>& all, std::size_t first, std::size_t most, std::vector<CountedTerm>& chosen,
             const std::function<void(const std::vector<CountedTerm>&)>& use) {
    use(chosen);
    if (chosen.size() == most) return;
    for (std::size_t i = first; i < all.size(); ++i) {
        if (!chosen.empty() && chosen.back().letter == all[i].letter) continue;  // another value of the same row
        if (all[i].letter->detail == Detail::sparse && any_sparse(chosen)) continue;
        chosen.push_back(all[i]);
        combine(all, i + 1, most, chosen, use);
        chosen.pop_back();
    }
}

void add_rows(db::Connection& connection, const Table& table, Changes& changes, const Progress& progress) {
    constexpr int page = 5000;
    const auto select = "SELECT id, " + table.columns() + " FROM " + std::string(table.name()) + " FORCE INDEX (PRIMARY) WHERE ";
    std::size_t read = 0;
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection.query(select + (last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?", {last, page});
        for (const auto& row : rows) table.count(changes, table.read(row, 1), +1);
        read += rows.size();
        if (progress) progress(read);
        if (rows.size() < page) return;
        last = rows.back().uuid(0);
    }
}

}  // namespace

std::string Facet::compared(const std::string& text) const {
    return folded ? core::fold_key(text) : text;
}

std::vector<std::string> Facet::values(std::span<const std::string> texts) const {
    std::vector<std::string> found, keys;
    for (const auto& text : texts) {
        auto key = compared(text);
        if (key.empty() || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
        keys.push_back(std::move(key));
        found.push_back(text);
    }
    return found;
}

std::vector<std::string> Facet::read(const std::string& text) const {
    return values(kind == Kind::texts ? json::parse_texts(text) : std::vector{text});
}

const Range* Kept::range(std::string_view column) const {
    for (const auto& range : ranges)
        if (range.column == column) return &range;
    return nullptr;
}

std::optional<Histogram> Kept::order(std::size_t number, Detail least) const {
    if (by_order.empty() || (number > 1 && least != Detail::full)) return {};
    const auto& found = by_order[std::min(number, by_order.size() - 1)];
    return least == Detail::sparse ? found.first(levels_of_sparse) : found;
}

Table::Table(std::string_view name, std::vector<Part> parts) : name_(name), parts_(std::move(parts)) {
    for (const auto& part : parts_) {
        if (!part.is_counted()) continue;
        add(part.owner, part.owner == listed ? Kind::number : Kind::text);
        for (const auto& letter : part.kept->letters) add(letter.column, letter.kind);
        for (const auto& facet : part.kept->facets) add(facet.column, facet.kind);
        if (!part.kept->by_order.empty()) add(part.order, Kind::time);
        for (const auto& range : part.kept->ranges) add(range.column, range.is_time ? Kind::time : Kind::number);
    }
    for (const auto& column : columns_) names_.append(names_.empty() ? "" : ", ").append(column.name);
}

void Table::add(std::string_view name, Kind kind) {
    const auto known = std::find_if(columns_.begin(), columns_.end(), [&](const auto& column) { return column.name == name; });
    if (known == columns_.end()) columns_.push_back({name, kind});
}

Row Table::read(const db::Row& row, std::size_t first) const {
    Row cells;
    for (const auto& column : columns_) {
        auto& cell = cells.emplace_back();
        const auto at = first++;
        if (row.is_null(at)) continue;
        switch (column.kind) {
            case Kind::text:
                cell.texts = {row.text(at)};
                break;
            case Kind::texts:
                cell.texts = json::parse_texts(row.text(at));
                break;
            case Kind::number:
                cell.number = row.integer(at);
                break;
            case Kind::time:
                cell.number = row.time(at).time_since_epoch().count();
                break;
        }
    }
    return cells;
}

Row Table::of(const std::function<Cell(std::string_view column)>& value) const {
    Row cells;
    for (const auto& column : columns_) cells.push_back(value(column.name));
    return cells;
}

std::size_t Table::place(std::string_view column) const {
    const auto at = std::find_if(columns_.begin(), columns_.end(), [&](const auto& each) { return each.name == column; });
    if (at == columns_.end()) throw std::logic_error(std::string(name()) + " is not counted by " + std::string(column));
    return std::size_t(at - columns_.begin());
}

void Table::count(Changes& changes, const Row& row, std::int64_t n) const {
    // Those of rows that no list shows, too: the search has them.
    if (n > 0)
        for (const auto& facet : parts_[0].kept->facets)
            for (const auto& text : facet.values(cell(row, facet.column).texts)) changes.add_value(text);
    for (const auto& part : parts_)
        if (part.is_counted()) count(changes, part, row, n);
}

void Table::count(Changes& changes, const Part& part, const Row& row, std::int64_t n) const {
    const auto& kept = *part.kept;
    const auto& owner = cell(row, part.owner);
    if (part.owner == listed ? owner.number != 1 : owner.texts.empty()) return;
    std::vector<CountedTerm> terms;
    std::vector<std::set<std::string>> borrowed;  // by the terms, each value once
    borrowed.reserve(kept.letters.size());
    for (const auto& letter : kept.letters) {
        const auto& [texts, number] = cell(row, letter.column);
        auto& values = borrowed.emplace_back();
        for (const auto& text : texts) values.insert(letter.kind == Kind::texts ? core::fold_key(text) : text);
        if (number) values.insert(std::to_string(*number));
        for (const auto& value : values)
            if (!value.empty()) terms.push_back({&letter, value});
    }
    std::vector<std::pair<std::uint8_t, std::uint64_t>> facets;
    if (kept.most_letters_of_facets)
        for (const auto& facet : kept.facets)
            for (const auto& text : facet.values(cell(row, facet.column).texts))
                facets.emplace_back(facet.measure, value_id(text));
    const auto time = kept.by_order.empty() ? std::nullopt : cell(row, part.order).number;
    std::vector<CountedTerm> chosen;
    combine(terms, 0, kept.most_letters, chosen, [&](const std::vector<CountedTerm>& some) {
        std::vector<Term> named;
        if (kept.owner) named.push_back({kept.owner, owner.texts[0]});
        auto least = Detail::full;
        for (const auto& [letter, value] : some) {
            named.push_back({letter->letter, value});
            least = std::max(least, letter->detail);
        }
        const auto key = key_of(named);
        changes.add({key, all_rows, 0}, n);
        if (const auto by_order = kept.order(some.size(), least); by_order && time)
            by_order->add(changes, key, std::uint64_t(std::max<std::int64_t>(0, *time)), n);
        std::set<std::uint8_t> measures;
        for (const auto& range : kept.ranges) {
            if (some.size() > range.most_letters || least == Detail::sparse) continue;
            const auto value = cell(row, range.column).number;
            if (!value) continue;
            if (range.rows_with_value && measures.insert(*range.rows_with_value).second)
                changes.add({key, *range.rows_with_value, 0}, n);
            range.histogram.add(changes, key, std::uint64_t(std::max<std::int64_t>(0, *value)), n);
        }
        if (kept.most_letters_of_facets && some.size() <= *kept.most_letters_of_facets)
            for (const auto& [measure, id] : facets) changes.add({key, measure, id}, n);
    });
}

std::size_t recount(db::Connection& connection, const Table& table, const Progress& progress) {
    constexpr int attempts = 3;
    for (int attempt = 1;; ++attempt) {
        try {
            db::Transaction transaction(connection, db::Reads::as_of_the_first);
            // Two at once would add the same twice. What is read afterwards is as of when this row is locked.
            set_counts_complete(connection, table.name());
            Changes changes(table.name());
            add_rows(connection, table, changes, progress);
            changes.take_off_known(connection);
            const auto wrong = changes.wrong();
            changes.write(connection);
            transaction.commit();
            return wrong;
        } catch (const db::Error& error) {
            if (!error.is_retryable() || attempt == attempts) throw;
        }
    }
}

std::optional<std::int64_t> scheme_of(db::Connection& connection, const Table& table) {
    return connection.query("SELECT " + std::string(complete_scheme()), {table.name()}).at(0).opt_integer(0);
}

}  // namespace tradepost::counts
