// What differs between two states of a resource, as people are shown it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "fields/field.h"
#include "json/writer.h"

namespace tradepost::fields {

// Longer texts are cut to so many code points.
inline constexpr std::size_t shown_of_text = 100;

std::string shown(std::string_view text);

namespace detail {

template <class Value>
void write_shown(json::Writer& writer, const Value& value) {
    if constexpr (std::is_same_v<Value, std::string>)
        writer.value(shown(value));
    else if constexpr (std::is_same_v<Value, std::optional<std::string>>)
        value ? writer.value(shown(*value)) : writer.null();
    else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
        writer.value(std::int64_t(value.size()));
    else
        writer.value(value);
}

void write_pairs(json::Writer& writer, std::string_view field, const TextMap& before, const TextMap& after);

}  // namespace detail

// One object {field, before, after} for each field that clients set and that differs, into an array that has begun. Each pair of a text map
// is one, "attributes.Mileage".
template <class T>
void write_differences(json::Writer& writer, std::span<const Field<T>> fields, const T& before, const T& after) {
    for (const auto& field : fields) {
        if (field.use == Use::read_only) continue;
        std::visit(
            [&](auto member) {
                const auto &was = before.*member, &is = after.*member;
                if (was == is) return;
                if constexpr (std::is_same_v<decltype(member), TextMap T::*>) {
                    detail::write_pairs(writer, field.name, was, is);
                } else {
                    writer.begin_object().member("field", field.name).name("before");
                    detail::write_shown(writer, was);
                    writer.name("after");
                    detail::write_shown(writer, is);
                    writer.end_object();
                }
            },
            field.member);
    }
}

}  // namespace tradepost::fields
