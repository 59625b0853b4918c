#include "core/log.h"

#include <syslog.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "core/text.h"

namespace tradepost::core::log {
namespace {

Level threshold = Level::info;
bool system_log = false;

bool is_plain(std::string_view value) {
    return !value.empty() && std::all_of(value.begin(), value.end(), [](unsigned char c) {
        return c > ' ' && c != '"' && c != '=' && c != '\\' && c != 0x7f;
    });
}

// A value cannot break out of its line, so a client can neither forge a line nor hide this one; the journal shows a line that is not
// UTF-8 as "blob data".
void append_value(std::string& line, std::string_view value) {
    if (is_plain(value) && is_utf8(value)) {
        line += value;
        return;
    }
    static constexpr char digits[] = "0123456789abcdef";
    const bool text = is_utf8(value);
    line += '"';
    for (const unsigned char c : value) {
        if (c == '"' || c == '\\') {
            line += '\\';
            line += char(c);
        } else if (c == '\n') {
            line += "\\n";
        } else if (c < ' ' || c == 0x7f || (c >= 0x80 && !text)) {
            line += "\\x";
            line += digits[c >> 4];
            line += digits[c & 15];
        } else {
            line += char(c);
        }
    }
    line += '"';
}

}  // namespace

void set_level(Level level) {
    threshold = level;
}

bool is_written(Level level) {
    return level >= threshold;
}

void use_system_log(const char* name) {
    openlog(name, LOG_PID, LOG_AUTH);
    system_log = true;
}

void write(Level level, std::string_view event, std::initializer_list<Field> fields) noexcept try {
    if (level < threshold) return;
    static constexpr std::array names{"debug", "info", "warning", "error"};
    std::string line = "level=";
    line += names[std::size_t(level)];
    line += " event=";
    append_value(line, event);
    for (const Field& field : fields) {
        line += ' ';
        line += field.key;
        line += '=';
        append_value(line, field.value);
    }
    if (system_log && level < Level::warning) return syslog(LOG_INFO, "%s", line.c_str());
    line += '\n';
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
} catch (...) {
    // Without memory there is no line, and the caller goes on.
}

}  // namespace tradepost::core::log
