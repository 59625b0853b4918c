#include "support/case_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "core/text.h"

namespace tradepost::test {
namespace {

struct Reader {
    std::string path;
    std::vector<std::string> lines;
    std::size_t at = 0;

    bool more() const { return at < lines.size(); }
    bool ends() const { return !more() || lines[at] == "==="; }
    const std::string& line() const { return lines[at]; }
    bool comment_or_blank() const { return lines[at].empty() || lines[at][0] == '#'; }

    [[noreturn]] void refuse(const std::string& why) const {
        throw std::runtime_error(path + ":" + std::to_string(at + 1) + ": " + why);
    }

    // "name rest of the line"
    static std::pair<std::string, std::string> split(const std::string& text, char separator) {
        const auto end = text.find(separator);
        if (end == std::string::npos) return {text, ""};
        return {text.substr(0, end), std::string(core::trim(std::string_view(text).substr(end + 1)))};
    }

    // The lines up to `end` or the exchange's, without the line breaks behind the last one.
    std::string text_until(const std::string& end) {
        std::string text;
        for (; !ends() && line() != end; ++at) text.append(line()).append("\n");
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
        std::tie(exchange.method, exchange.target) = split(line(), ' ');
        if (exchange.target.empty()) refuse("METHOD and target wanted");
        for (++at; !ends() && !line().empty() && line() != "---"; ++at) {
            auto [name, value] = split(line(), ':');
            exchange.headers.emplace_back(core::lower_ascii(name), std::move(value));
        }
        if (!ends() && line().empty()) ++at;
        exchange.body = text_until("---");
        if (ends()) refuse("--- and the expected answer are missing");
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
        if (more()) ++at;
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

CaseFile read_case_file(const std::string& path) {
    Reader reader{path, {}, 0};
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) reader.lines.push_back(std::move(line));
    if (!file.eof() || reader.lines.empty()) throw std::runtime_error(path + ": cannot be read");
    CaseFile result{path, {}};
    while (reader.more()) {
        Exchange exchange;
        reader.read_request(exchange);
        reader.read_answer(exchange);
        result.exchanges.push_back(std::move(exchange));
    }
    return result;
}

std::vector<std::string> find_case_files(const std::string& directory) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
        if (entry.path().extension() == ".case") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace tradepost::test
