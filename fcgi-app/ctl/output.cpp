#include "ctl/output.h"

#include <algorithm>
#include <iostream>

#include "core/text.h"

namespace tradepost::ctl {
namespace {

std::string cell(const Json& value) {
    if (value.is_null()) return "-";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    return printable(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

std::string printable(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
    return text;
}

void print(const Json& document) {
    std::cout << document.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
}

void print_list(const Json& objects, bool json) {
    if (json)
        print(objects);
    else
        print_table(objects);
}

void print_table(const Json& objects) {
    if (objects.empty()) return;
    std::vector<std::vector<std::string>> rows(1);
    for (const auto& [name, value] : objects[0].items()) rows[0].push_back(name);
    for (const auto& object : objects) {
        auto& row = rows.emplace_back();
        for (const auto& [name, value] : object.items()) row.push_back(cell(value));
    }
    std::vector<std::size_t> widths(rows[0].size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], core::code_points(row[i]));
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line.append(widths[i] - core::code_points(row[i]) + 2, ' ');
        }
        std::cout << line << "\n";
    }
}

}  // namespace tradepost::ctl
