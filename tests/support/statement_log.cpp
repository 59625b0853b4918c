#include "support/statement_log.h"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "db/connection.h"

namespace tradepost::test {
namespace {

class Log {
public:
    Log() {
        if (const char* path = std::getenv("TRADEPOST_TEST_STATEMENTS"); path && *path) path_ = path;
        if (!path_.empty()) db::watch_statements(note);
    }
    ~Log() {
        if (path_.empty()) return;
        db::watch_statements(nullptr);
        std::ofstream file(path_, std::ios::app);
        for (const auto& [form, line] : lines_)
            file << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }

    static void note(std::string_view sql, const std::string& text, const std::source_location& place);

private:
    std::string path_;
    std::mutex mutex_;
    std::map<std::string, nlohmann::json> lines_;
} log_;

void Log::note(std::string_view sql, const std::string& text, const std::source_location& place) {
    const std::string_view file = place.file_name();
    const auto product = file.find("fcgi-app/");
    if (product == file.npos || !locks_rows(sql)) return;
    const std::lock_guard lock(log_.mutex_);
    auto form = form_of(sql);
    auto& line = log_.lines_[form];
    if (line.is_null())
        line = {{"sql", form}, {"text", text}, {"place", std::string(file.substr(product)) + ":" + std::to_string(place.line())}};
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace

bool locks_rows(std::string_view sql) {
    while (!sql.empty() && sql.front() == ' ') sql.remove_prefix(1);
    return sql.starts_with("UPDATE ") || sql.starts_with("DELETE ") || sql.find("FOR UPDATE") != sql.npos ||
           sql.find("LOCK IN SHARE MODE") != sql.npos;
}

std::string form_of(std::string_view sql) {
    std::string form;
    for (std::size_t i = 0; i < sql.size();) {
        const char c = sql[i];
        if (c == '\'') {
            while (++i < sql.size() && sql[i] != '\'')
                if (sql[i] == '\\') ++i;
            ++i;
            if (form.ends_with("x") && (form.size() == 1 || !is_word(form[form.size() - 2]))) form.pop_back();
            form += '?';
        } else if (std::isdigit(static_cast<unsigned char>(c)) && (i == 0 || !is_word(sql[i - 1]))) {
            while (i < sql.size() && is_word(sql[i])) ++i;
            form += '?';
        } else {
            form += c;
            ++i;
        }
        if (form.ends_with("?, ?")) form.resize(form.size() - 3);
    }
    return form;
}

}  // namespace tradepost::test
