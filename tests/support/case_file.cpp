#include "support/case_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "core/text.h"

namespace tradepost::test {
namespace {

// Puts `value` in the place of every {{name}}. Returns whether there was one.
bool fill(Exchange& exchange, const std::string& name, const std::string& value) {
    const std::string placeholder = "{{" + name + "}}";
    bool any = false;
    const auto fill_text = [&](std::string& text) {
        for (auto at = text.find(placeholder); at != text.npos; at = text.find(placeholder, at + value.size())) {
            text.replace(at, placeholder.size(), value);
            any = true;
        }
    };
    for (auto& directive : exchange.before) fill_text(directive.argument);
    fill_text(exchange.target);
    for (auto& header : exchange.headers) fill_text(header.second);
    fill_text(exchange.body);
    for (auto& header : exchange.expected_headers)
        if (header.value) fill_text(*header.value);
    fill_text(exchange.expected_body);
    return any;
}

struct Reader {
    std::string path;
    std::vector<std::string> lines;
    std::size_t at = 0;

    bool more() const { return at < lines.size(); }
    bool ends() const { return !more() || lines[at] == "==="; }
    const std::string& line() const { return lines[at]; }
    bool comment_or_blank() const { return lines[at].empty() || lines[at][0] == '#'; }
    bool table() const { return line() == "@each" || line().starts_with("@each "); }

    [[noreturn]] void refuse(const std::string& why) const {
        throw std::runtime_error(path + ":" + std::to_string(at + 1) + ": " + why);
    }

    // "name rest of the line"
    static std::pair<std::string, std::string> split(const std::string& text, char separator) {
        const auto end = text.find(separator);
        if (end == std::string::npos) return {text, ""};
        return {text.substr(0, end), std::string(core::trim(std::string_view(text).substr(end + 1)))};
    }

    // The lines up to `end`, a table or the exchange's end, without the line breaks behind the last one.
    std::string text_until(const std::string& end) {
        std::string text;
        for (; !ends() && line() != end && !table(); ++at) text.append(line()).append("\n");
        while (text.ends_with('\n')) text.pop_back();
        return text;
    }

    void read_request(Exchange& exchange) {
        for (; !ends() && (comment_or_blank() || line()[0] == '@'); ++at)
            if (line().starts_with('@')) {
                auto [name, argument] = split(line().substr(1), ' ');
                exchange.before.push_back({std::move(name), std::move(argument), int(at + 1)});
            }
        if (ends()) refuse("a request is missing");
        exchange.line = int(at + 1);
        exchange.target = line();  // with the method, which may come from a table
        for (++at; !ends() && !line().empty() && line() != "---"; ++at) {
            auto [name, value] = split(line(), ':');
            exchange.headers.emplace_back(core::lower_ascii(name), std::move(value));
        }
        if (!ends() && line().empty()) ++at;
        exchange.body = text_until("---");
        if (ends() || line() != "---") refuse("--- and the expected answer are missing");
        ++at;
    }

    void read_answer(Exchange& exchange) {
        while (!ends() && comment_or_blank()) ++at;
        if (ends()) refuse("a status is missing");
        const auto [end, error] = std::from_chars(line().data(), line().data() + line().size(), exchange.status);
        if (error != std::errc() || *end != '\0') refuse("a status wanted");
        for (++at; !ends() && !line().empty(); ++at) {
            if (line()[0] == '#') continue;
            if (line()[0] == '!') {
                exchange.expected_headers.push_back({line().substr(1), {}});
            } else if (line().starts_with("@capture ")) {
                auto [name, source] = split(line().substr(9), '=');
                exchange.captures.emplace_back(core::trim(name), source);
            } else if (line().find(':') != std::string::npos) {
                auto [name, value] = split(line(), ':');
                exchange.expected_headers.push_back({name, value});
            } else {
                refuse("a header wanted");
            }
        }
        while (!ends() && line().empty()) ++at;
        exchange.expected_body = text_until("===");
    }

    // Throws when a request has no target.
    void split_request(Exchange& exchange) const {
        std::tie(exchange.method, exchange.target) = split(exchange.target, ' ');
        if (exchange.target.empty())
            throw std::runtime_error(path + ":" + std::to_string(exchange.line) + ": METHOD and target wanted");
    }

    // The exchange of each row of the table that begins here.
    std::vector<Exchange> read_table(const Exchange& pattern) {
        const auto take = [&](Exchange& exchange, const std::string& name, const std::string& value) {
            if (!fill(exchange, name, value)) refuse("{{" + name + "}} is not in the exchange");
        };
        const std::string column = split(line(), ' ').second;
        if (column.empty()) refuse("@each NAME wanted");
        std::map<std::string, std::string> shared;
        std::set<std::string> without_row{column};
        std::vector<Exchange> rows;
        for (++at; !ends(); ++at) {
            if (comment_or_blank()) continue;
            if (line()[0] == '@') {
                auto [name, text] = split(line().substr(1), ' ');
                if (text.empty() || name == column) refuse("@NAME and a text wanted");
                if (!rows.empty() && !shared.contains(name)) refuse("the rows above have no @" + name);
                if (!without_row.insert(name).second) refuse("no row follows the @" + name + " above");
                shared[name] = std::move(text);
                continue;
            }
            auto& row = rows.emplace_back(pattern);
            row.line = int(at + 1);
            for (const auto& [name, text] : shared) take(row, name, text);
            take(row, column, line());
            split_request(row);
            without_row.clear();
        }
        if (!without_row.empty()) refuse("a row is missing");
        return rows;
    }
};

}  // namespace

bool CaseFile::writes() const {
    return std::any_of(exchanges.begin(), exchanges.end(), [](const Exchange& exchange) {
        const bool reads =
            exchange.method == "GET" || exchange.method == "HEAD" || exchange.method == "OPTIONS" || exchange.status >= 400;
        return !reads || std::any_of(exchange.before.begin(), exchange.before.end(),
                                     [](const Directive& d) { return d.name == "sql" || d.name == "check"; });
    });
}

CaseFile parse_case(const std::string& path, std::istream& text) {
    Reader reader{path, {}, 0};
    for (std::string line; std::getline(text, line);) reader.lines.push_back(std::move(line));
    if (!text.eof() || reader.lines.empty()) throw std::runtime_error(path + ": cannot be read");
    CaseFile result{path, {}};
    while (reader.more()) {
        Exchange exchange;
        reader.read_request(exchange);
        reader.read_answer(exchange);
        if (reader.ends()) {
            reader.split_request(exchange);
            result.exchanges.push_back(std::move(exchange));
        } else {
            std::ranges::move(reader.read_table(exchange), std::back_inserter(result.exchanges));
        }
        ++reader.at;
    }
    return result;
}

CaseFile read_case_file(const std::string& path) {
    std::ifstream file(path);
    return parse_case(path, file);
}

std::vector<std::string> find_case_files(const std::string& directory) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
        if (entry.path().extension() == ".case") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace tradepost::test
