// A parameter of a statement, with the type that it has in SQL.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/time.h"
#include "core/uuid.h"

namespace tradepost::db {

// Bytes for a BINARY column; a plain string is text.
struct Binary {
    std::string_view bytes;
};

// Borrows the characters of text and bytes: they must outlive the call that it is passed to.
class Value {
public:
    Value(std::nullptr_t) {}
    Value(std::nullopt_t) {}
    Value(bool v) : value_(std::int64_t{v}) {}
    Value(int v) : value_(std::int64_t{v}) {}
    Value(std::int64_t v) : value_(v) {}
    Value(std::uint32_t v) : value_(std::int64_t{v}) {}
    Value(std::uint64_t v) : value_(v) {}
    Value(const char* v) : value_(std::string_view(v)) {}
    Value(std::string_view v) : value_(v) {}
    Value(const std::string& v) : value_(std::string_view(v)) {}
    Value(Binary v) : value_(v) {}
    Value(core::Uuid v) : value_(v) {}
    Value(core::Time v) : value_(v) {}
    template <class T>
    Value(const std::optional<T>& v) {
        if (v) *this = Value(*v);
    }

    using Variant = std::variant<std::monostate, std::int64_t, std::uint64_t, std::string_view, Binary, core::Uuid, core::Time>;
    const Variant& variant() const { return value_; }

private:
    Variant value_;
};

}  // namespace tradepost::db
