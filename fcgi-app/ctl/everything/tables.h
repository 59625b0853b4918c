// The tables of an instance: which of them an export of everything carries, and which it leaves out.
#pragma once
#include <span>
#include <string_view>

namespace tradepost::ctl::everything {

struct CarriedTable {
    std::string_view name;
    std::string_view where = {};        // which rows, in SQL; empty for all of them
    std::string_view byte_column = {};  // the VARBINARY column that holds bytes; all others hold text
    bool may_have_rows = false;         // in the database of a new instance
};

// A table comes after those that its foreign keys name.
std::span<const CarriedTable> carried_tables();

struct LeftOutTable {
    std::string_view name, why;
};
std::span<const LeftOutTable> left_out_tables();

}  // namespace tradepost::ctl::everything
