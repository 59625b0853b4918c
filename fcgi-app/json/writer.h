// Writes JSON text straight into a string: for lists, where building a value first would cost more than the database does.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"

namespace tradepost::json {

// The caller keeps begin and end calls balanced and writes a name before each value of an object. Text that is no valid UTF-8 is written
// with U+FFFD in place of each bad byte: the output is always valid.
class Writer {
public:
    Writer& begin_object() { return begin('{'); }
    Writer& end_object() { return end('}'); }
    Writer& begin_array() { return begin('['); }
    Writer& end_array() { return end(']'); }
    Writer& name(std::string_view name);  // plain ASCII, written as it is

    Writer& text_name(std::string_view name);  // any text

    Writer& null();
    Writer& value(std::string_view text);
    Writer& value(const char* text) { return value(std::string_view(text)); }
    Writer& value(const std::string& text) { return value(std::string_view(text)); }
    Writer& value(std::int64_t number);
    Writer& value(bool boolean);
    Writer& value(const core::Uuid& id) { return plain(id.to_string()); }
    Writer& value(core::Time time) { return plain(core::to_rfc3339(time)); }
    template <class T>
    Writer& value(const std::optional<T>& optional) {
        return optional ? value(*optional) : null();
    }
    // A value that is JSON already.
    Writer& raw(std::string_view json);

    template <class T>
    Writer& member(std::string_view key, const T& v) {
        return name(key).value(v);
    }

    const std::string& text() const { return out_; }
    std::string take() { return std::move(out_); }

private:
    Writer& begin(char bracket);
    Writer& end(char bracket);
    Writer& plain(std::string_view text);  // a string that needs no escape
    void separate() {
        if (comma_) out_ += ',';
        comma_ = true;
    }
    std::string out_;
    bool comma_ = false;
};

}  // namespace tradepost::json
