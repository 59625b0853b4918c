// Reads the settings of one section of the configuration file, for config.cpp.
#pragma once
#include <toml++/toml.h>

#include <charconv>
#include <concepts>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config.h"

namespace tradepost::core {

// finish() refuses the keys that were not read. Calls throw ConfigError with file, line and key. The file's name and the table
// must outlive the section.
class Section {
public:
    Section(const std::string& file, const toml::table* table, std::string name)
        : file_(file), table_(table), name_(std::move(name)) {}

    void read(const char* key, std::string& into) {
        if (const auto* node = find(key)) into = value<std::string>(*node, key, "a string");
    }
    void read(const char* key, std::vector<std::string>& into) {
        const auto* node = find(key);
        if (!node) return;
        if (!node->is_array()) fail(*node, key, "must be a list of strings");
        into.clear();
        for (const auto& item : *node->as_array()) into.push_back(value<std::string>(item, key, "a list of strings"));
    }
    // A string is a list of one.
    void read_list(const char* key, std::vector<std::string>& into) {
        const auto* node = find(key);
        if (!node || !node->is_string()) return read(key, into);
        into.assign(1, {});
        read(key, into.front());
    }
    void read(const char* key, bool& into) {
        if (const auto* node = find(key)) into = value<bool>(*node, key, "true or false");
    }
    template <std::unsigned_integral Number>
    requires(!std::same_as<Number, bool>) void read(const char* key, Number& into, std::int64_t min, std::int64_t max) {
        const auto* node = find(key);
        if (!node) return;
        const auto number = value<std::int64_t>(*node, key, "a whole number");
        if (number < min || number > max)
            fail(*node, key, "must be between " + std::to_string(min) + " and " + std::to_string(max));
        into = Number(number);
    }
    template <class Duration>
    requires requires { typename Duration::period; }
    void read(const char* key, Duration& into, std::int64_t min, std::int64_t max) {
        auto count = std::uint64_t(into.count());
        read(key, count, min, max);
        into = Duration(count);
    }
    // A string with its unit, such as "30s".
    void read(const char* key, std::chrono::seconds& into, std::chrono::seconds most) {
        const auto* node = find(key);
        if (!node) return;
        const auto time = parse_time(value<std::string>(*node, key, "a string like \"30s\""));
        if (!time || *time > most)
            fail(*node, key, "must be a number with s, m or h, such as \"30s\", up to " + std::to_string(most.count()) + "s");
        into = *time;
    }
    void read(const char* key, Rate& into) {
        const auto* node = find(key);
        if (!node) return;
        const auto text = value<std::string>(*node, key, "a string like \"60/1m\"");
        const auto rate = parse_rate(text);
        if (!rate) fail(*node, key, "must be REQUESTS/WINDOW, such as \"60/1m\" (s, m, h; at most a day)");
        into = *rate;
    }
    // "0": no limit.
    void read(const char* key, std::optional<Rate>& into) {
        const auto* node = find(key);
        if (node && node->value_exact<std::string>() == "0") {
            into.reset();
        } else if (node) {
            into.emplace();
            read(key, *into);
        }
    }
    void read(const char* key, std::string& into, std::initializer_list<const char*> choices) {
        const auto* node = find(key);
        if (!node) return;
        const auto text = value<std::string>(*node, key, "a string");
        std::string list;
        for (const char* choice : choices) {
            if (text == choice) {
                into = text;
                return;
            }
            list += std::string(list.empty() ? "" : " or ") + "\"" + choice + "\"";
        }
        fail(*node, key, "must be " + list);
    }
    const toml::node* find(const char* key) {
        known_[key] = true;
        return table_ ? table_->get(key) : nullptr;
    }
    void finish() const {
        if (!table_) return;
        for (const auto& [key, node] : *table_)
            if (!known_.contains(std::string(key.str())))
                fail(node, std::string(key.str()), "is not a setting; see tradepost.toml.example");
    }
    [[noreturn]] void fail(const toml::node& node, const std::string& key, const std::string& why) const {
        throw ConfigError(fault(node, key, why));
    }
    std::string fault(const toml::node& node, const std::string& key, const std::string& why) const {
        return file_ + ":" + std::to_string(node.source().begin.line) + ": " + (name_.empty() ? key : name_ + "." + key) + " " +
               why;
    }

private:
    template <class T>
    T value(const toml::node& node, const char* key, const char* type) const {
        const auto got = node.value_exact<T>();
        if (!got) fail(node, key, std::string("must be ") + type);
        return *got;
    }
    // "30s", "15m" or "1h", up to a day.
    static std::optional<std::chrono::seconds> parse_time(std::string_view text) {
        unsigned count = 0;
        const char* const end = text.data() + text.size();
        const auto [unit, no_count] = std::from_chars(text.data(), end, count);
        if (no_count != std::errc() || unit + 1 != end) return {};
        const unsigned factor = *unit == 's' ? 1 : *unit == 'm' ? 60 : *unit == 'h' ? 3600 : 0;
        if (factor == 0 || std::uint64_t(count) * factor > 86400) return {};
        return std::chrono::seconds(count * factor);
    }
    static std::optional<Rate> parse_rate(const std::string& text) {
        unsigned requests = 0;
        const char* const end = text.data() + text.size();
        const auto [slash, no_requests] = std::from_chars(text.data(), end, requests);
        if (no_requests != std::errc() || slash == end || *slash != '/') return {};
        const auto window = parse_time({slash + 1, end});
        if (requests == 0 || requests > 999'999'999 || !window || window->count() == 0) return {};
        return Rate{requests, *window};
    }

    const std::string& file_;
    const toml::table* table_;
    std::string name_;
    std::map<std::string, bool> known_;
};

// A file beside the configuration, or the service's credential of that name: systemd passes files that only root may read as those
// (systemd.exec(5), LoadCredential=).
std::filesystem::path secret_path(const std::filesystem::path& folder, const std::string& name);

// Its first line.
std::string read_secret(const std::filesystem::path& folder, const std::string& name, const char* key);

void read_backup(Section s, BackupConfig& backup);
void read_mail(Section s, MailConfig& mail, const std::filesystem::path& folder);
void read_privacy(Section s, PrivacyConfig& privacy);
void read_push(Section s, PushConfig& push, const std::filesystem::path& folder);

}  // namespace tradepost::core
