// The log: lines in logfmt on standard error, each in one write, for the journal or runit's log service.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tradepost::core::log {

enum class Level { debug, info, warning, error };

// Numbers and strings; values are quoted when they need it, control characters are escaped.
struct Field {
    std::string_view key;
    std::string value;
    Field(std::string_view k, std::string_view v) : key(k), value(v) {}
    Field(std::string_view k, const char* v) : key(k), value(v) {}
    Field(std::string_view k, const std::string& v) : key(k), value(v) {}
    template <class Number>
    requires std::is_arithmetic_v<Number> Field(std::string_view k, Number v) : key(k), value(std::to_string(v)) {}
};

// Lines below this level are not written. The default is info.
void set_level(Level level);
bool is_written(Level level);

// From now on lines below warning go to the system's log under this name, which must stay valid, and not to standard error: for a command,
// whose standard error is for its user.
void use_system_log(const char* name);

// Writes `level=info event=… key=value …`. Never throws: a full disk must not fail a request.
void write(Level level, std::string_view event, std::initializer_list<Field> fields = {}) noexcept;

inline void debug(std::string_view event, std::initializer_list<Field> f = {}) noexcept {
    write(Level::debug, event, f);
}
inline void info(std::string_view event, std::initializer_list<Field> f = {}) noexcept {
    write(Level::info, event, f);
}
inline void warning(std::string_view event, std::initializer_list<Field> f = {}) noexcept {
    write(Level::warning, event, f);
}
inline void error(std::string_view event, std::initializer_list<Field> f = {}) noexcept {
    write(Level::error, event, f);
}

}  // namespace tradepost::core::log
