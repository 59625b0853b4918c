#include "support/case_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>

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
    for (auto& capture : exchange.captures) fill_text(capture.second);
    fill_text(exchange.expected_body);
    return any;
}

bool has_header(const Exchange& exchange, std::string_view name) {
    return std::any_of(exchange.headers.begin(), exchange.headers.end(),
                       [&](const auto& header) { return header.first == name; });
}

const std::string nobody = "Bearer {{token:nobody}}";

struct Reader {
    std::string path;
    std::vector<std::string> lines;
    std::vector<Exchange> exchanges;
    std::optional<std::size_t> group;  // where @group began it
    std::string who = "nobody";
    std::size_t at = 0;

    bool more() const { return at < lines.size(); }
    bool ends() const { return !more() || lines[at] == "==="; }
    const std::string& line() const { return lines[at]; }
    bool comment_or_blank() const { return lines[at].empty() || lines[at][0] == '#'; }
    bool table() const { return line() == "@each" || line().starts_with("@each "); }
    bool header() const { return std::isalpha(static_cast<unsigned char>(line()[0])) || line()[0] == '!'; }

    [[noreturn]] void refuse(const std::string& why) const { refuse(int(at + 1), why); }
    [[noreturn]] void refuse(int number, const std::string& why) const {
        throw std::runtime_error(path + ":" + std::to_string(number) + ": " + why);
    }

    // "name rest of the line"
    static std::pair<std::string, std::string> split(const std::string& text, char separator) {
        const auto end = text.find(separator);
        if (end == std::string::npos) return {text, ""};
        return {text.substr(0, end), std::string(core::trim(std::string_view(text).substr(end + 1)))};
    }

    // "Name: value", or "!Name" without a value.
    ExpectedHeader read_header() const {
        if (line()[0] == '!') return {line().substr(1), {}};
        if (line().find(':') == std::string::npos) refuse("a header wanted");
        return {split(line(), ':').first, split(line(), ':').second};
    }

    // The lines up to `end`, a table or the exchange's end, without the line breaks behind the last one.
    std::string text_until(const std::string& end) {
        std::string text;
        for (; !ends() && line() != end && !table(); ++at) text.append(line()).append("\n");
        while (text.ends_with('\n')) text.pop_back();
        return text;
    }

    void read_directive(Exchange& exchange) {
        auto [name, argument] = split(line().substr(1), ' ');
        if (name == "as") {
            if (argument.empty()) refuse("@as NAME wanted");
            who = std::move(argument);
        } else if (name == "group") {
            if (group) refuse("a group within a group");
            group = exchanges.size();
        } else {
            exchange.before.push_back({std::move(name), std::move(argument), int(at + 1)});
        }
    }

    void read_request(Exchange& exchange) {
        for (; !ends() && (comment_or_blank() || line()[0] == '@'); ++at)
            if (line().starts_with('@')) read_directive(exchange);
        if (ends()) refuse("a request is missing");
        exchange.line = int(at + 1);
        exchange.target = line();  // with the method, which may come from a table
        std::set<std::string> without;
        for (++at; !ends() && !line().empty() && header(); ++at) {
            auto [name, value] = read_header();
            name = core::lower_ascii(name);
            if (value)
                exchange.headers.emplace_back(name, *value);
            else
                without.insert(name);
        }
        if (!ends() && line().empty()) ++at;
        exchange.body = text_until("---");
        if (ends() || line() != "---") refuse("--- and the expected answer are missing");
        ++at;
        const auto add = [&](const std::string& name, const std::string& value) {
            if (!has_header(exchange, name) && !without.contains(name)) exchange.headers.emplace_back(name, value);
        };
        add("authorization", "Bearer {{token:" + who + "}}");
        if (!exchange.body.empty()) add("content-type", "application/json");
    }

    void read_answer(Exchange& exchange) {
        while (!ends() && comment_or_blank()) ++at;
        if (ends()) refuse("a status is missing");
        const auto [status, text] = split(line(), ' ');
        const auto [end, error] = std::from_chars(status.data(), status.data() + status.size(), exchange.status);
        if (error != std::errc() || *end != '\0') refuse("a status wanted");
        for (++at; !ends() && !line().empty(); ++at) {
            if (line()[0] == '#') continue;
            if (line().starts_with("@capture ")) {
                auto [name, source] = split(line().substr(9), '=');
                exchange.captures.emplace_back(core::trim(name), source);
            } else if (header()) {
                exchange.expected_headers.push_back(read_header());
            } else {
                break;
            }
        }
        while (!ends() && line().empty()) ++at;
        exchange.expected_body = text_until("===");
        if (text.empty()) return;
        if (!exchange.expected_body.empty()) refuse("two bodies");
        exchange.expected_body = text[0] == '@' ? text : "{\"error\": \"" + text + "\"}";
    }

    // The exchanges of each row of the table that begins here.
    std::vector<Exchange> read_table(const std::vector<Exchange>& patterns) {
        const auto take = [&](std::span<Exchange> row, const std::string& name, const std::string& value) {
            bool any = false;
            for (auto& exchange : row) any |= fill(exchange, name, value);
            if (!any) refuse("{{" + name + "}} is not in the exchange");
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
            rows.insert(rows.end(), patterns.begin(), patterns.end());
            const std::span row(rows.end() - std::ptrdiff_t(patterns.size()), rows.end());
            for (auto& exchange : row) exchange.rows.push_back(int(at + 1));
            for (const auto& [name, text] : shared) take(row, name, text);
            take(row, column, line());
            without_row.clear();
        }
        if (!without_row.empty()) refuse("a row is missing");
        return rows;
    }

    // A table that is not behind an exchange: of all since @group, or of the file.
    void read_group_table() {
        const auto begin = exchanges.begin() + std::ptrdiff_t(group.value_or(0));
        const std::vector<Exchange> patterns(begin, exchanges.end());
        if (patterns.empty()) refuse("no exchange for this table");
        exchanges.erase(begin, exchanges.end());
        auto rows = read_table(patterns);
        if (!group)
            for (std::size_t i = 0; i < rows.size(); i += patterns.size()) rows[i].anew = true;
        if (!group && more()) refuse("nothing may follow the file's table");
        std::ranges::move(rows, std::back_inserter(exchanges));
        group.reset();
    }

    void read() {
        for (; more(); ++at) {
            while (!ends() && comment_or_blank()) ++at;
            if (!ends() && table()) {
                read_group_table();
                continue;
            }
            Exchange exchange;
            read_request(exchange);
            read_answer(exchange);
            if (ends())
                exchanges.push_back(std::move(exchange));
            else
                std::ranges::move(read_table({std::move(exchange)}), std::back_inserter(exchanges));
        }
        if (group) refuse(exchanges[*group].line, "the group's table is missing");
        for (auto& exchange : exchanges) {
            std::tie(exchange.method, exchange.target) = split(exchange.target, ' ');
            if (exchange.target.empty())
                refuse(exchange.rows.empty() ? exchange.line : exchange.rows[0], "METHOD and target wanted");
            std::erase_if(exchange.headers, [](const auto& header) { return header.second == nobody; });
        }
    }
};

}  // namespace

std::string Exchange::place() const {
    std::string text = std::to_string(line);
    for (const int row : rows) text += " (row " + std::to_string(row) + ")";
    return text;
}

bool CaseFile::writes() const {
    return std::any_of(exchanges.begin(), exchanges.end(), [](const Exchange& exchange) {
        const bool reads =
            exchange.method == "GET" || exchange.method == "HEAD" || exchange.method == "OPTIONS" || exchange.status >= 400;
        return !reads || std::any_of(exchange.before.begin(), exchange.before.end(),
                                     [](const Directive& d) { return d.name == "sql" || d.name == "check"; });
    });
}

CaseFile parse_case(const std::string& path, std::istream& text) {
    Reader reader;
    reader.path = path;
    for (std::string line; std::getline(text, line);) reader.lines.push_back(std::move(line));
    if (!text.eof() || reader.lines.empty()) throw std::runtime_error(path + ": cannot be read");
    reader.read();
    return {path, std::move(reader.exchanges)};
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
