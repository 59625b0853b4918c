#include "fields/rows.h"

#include "json/texts.h"

namespace tradepost::fields {

std::string column_name(std::string_view field) {
    std::string column;
    for (const char c : field) {
        if (c >= 'A' && c <= 'Z')
            column.append("_") += char(c - 'A' + 'a');
        else
            column += c;
    }
    return column;
}

void read(db::Row& row, std::size_t column, std::string& into) {
    into = row.text(column);
}
void read(db::Row& row, std::size_t column, std::optional<std::string>& into) {
    into = row.take_text(column);
}
void read(db::Row& row, std::size_t column, std::optional<std::int64_t>& into) {
    into = row.opt_integer(column);
}
void read(db::Row& row, std::size_t column, bool& into) {
    into = row.boolean(column);
}
void read(db::Row& row, std::size_t column, core::Time& into) {
    into = row.time(column);
}
void read(db::Row& row, std::size_t column, std::optional<core::Time>& into) {
    into = row.opt_time(column);
}
void read(db::Row& row, std::size_t column, std::vector<std::string>& into) {
    into = json::parse_texts(row.text(column));
}
void read(db::Row& row, std::size_t column, TextMap& into) {
    into = json::parse_text_map(row.text(column));
}
void read(db::Row& row, std::size_t column, std::optional<core::Uuid>& into) {
    into = row.opt_uuid(column);
}

std::string literal(const std::vector<std::string>& texts) {
    return db::literal(json::dump(texts));
}
std::string literal(const TextMap& texts) {
    return db::literal(json::dump(texts));
}

}  // namespace tradepost::fields
