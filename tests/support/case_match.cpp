#include "support/case_match.h"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "core/crypto.h"

namespace tradepost::test {
namespace {

using Json = nlohmann::json;
constexpr const char* rest = "…";

struct Placeholder {
    std::string_view name;
    const char* expression;
};
constexpr Placeholder placeholders[] = {
    {"<uuid>", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"},
    {"<time>", R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"},
    {"<hex64>", "[0-9a-f]{64}"},
    {"<id>", "[A-Za-z0-9._-]{1,128}"},
    {"<digits>", R"(\d+)"},
    {"<etag>", R"("[0-9a-f-]+")"},
    {"<any>", R"([\s\S]+)"},
    {"<text>", R"([\s\S]*)"},
};

std::string from_hex(std::string_view digits) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes += char(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
    return bytes;
}

std::string value_of(std::string_view name, const Variables& variables) {
    if (name.starts_with("token:")) return fixture_token(name.substr(6));
    if (name.starts_with("hex:")) return from_hex(name.substr(4));
    if (name.starts_with("repeat:")) {
        const auto colon = name.find(':', 7);
        std::string text;
        for (int i = std::stoi(std::string(name.substr(7, colon - 7))); i > 0; --i) text += name.substr(colon + 1);
        return text;
    }
    const auto found = variables.find(std::string(name));
    if (found == variables.end()) throw std::runtime_error("{{" + std::string(name) + "}} is not known");
    return found->second;
}

std::string shown(const Json& value) {
    auto text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() > 300 ? text.substr(0, 300) + " [cut]" : text;
}

void compare(const Json& expected, const Json& actual, const std::string& at, std::vector<std::string>& found) {
    const auto differ = [&] {
        found.push_back("body " + (at.empty() ? "/" : at) + ": expected " + shown(expected) + ", got " + shown(actual));
    };
    if (expected.is_string()) {
        const auto& text = expected.get_ref<const std::string&>();
        if (text == "<any>" || (actual.is_string() && matches(text, actual.get_ref<const std::string&>()))) return;
        return differ();
    }
    if (expected.type() != actual.type() && !(expected.is_number_integer() && actual.is_number_integer())) return differ();
    if (expected.is_object()) {
        for (const auto& [name, value] : expected.items()) {
            if (name == rest) continue;
            if (actual.contains(name))
                compare(value, actual[name], at + "/" + name, found);
            else
                found.push_back("body " + at + "/" + name + ": is missing");
        }
        if (expected.contains(rest)) return;
        for (const auto& [name, value] : actual.items())
            if (!expected.contains(name)) found.push_back("body " + at + "/" + name + ": unexpected, " + shown(value));
    } else if (expected.is_array()) {
        if (expected.size() != actual.size())
            found.push_back("body " + at + ": expected " + std::to_string(expected.size()) + " items, got " +
                            std::to_string(actual.size()));
        for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i)
            compare(expected[i], actual[i], at + "/" + std::to_string(i), found);
    } else if (expected != actual) {
        differ();
    }
}

// "@list jobs total=3 page=1 pages=1" and slugs, behind it or a line each.
std::vector<std::string> list_differences(const std::string& expected, const Json& actual, bool ordered) {
    std::istringstream lines(expected);
    std::string line, word, key;
    std::getline(lines, line);
    std::istringstream head(line);
    head >> word >> key;
    std::map<std::string, long long> numbers;
    std::vector<std::string> slugs;
    while (head >> word)
        if (const auto equals = word.find('='); equals != word.npos)
            numbers[word.substr(0, equals)] = std::stoll(word.substr(equals + 1));
        else
            slugs.push_back(word);
    while (std::getline(lines, line))
        if (!line.empty() && line[0] != '#') slugs.push_back(line);

    const long long count = static_cast<long long>(slugs.size());
    numbers.try_emplace("total", count);
    numbers.try_emplace("page", 1);
    numbers.try_emplace("pages", count > 0 ? 1 : 0);
    const auto data = actual.value("data", Json::object());
    if (!data.is_object() || !data.contains(key) || !data[key].is_array()) return {"body: no list of " + key};
    std::vector<std::string> got, found;
    for (const auto& item : data[key])
        for (const auto* name : {"slug", "reference", "id"})
            if (const auto text = item.find(name); text != item.end() && text->is_string()) {
                got.push_back(*text);
                break;
            }
    if (!ordered) {
        std::sort(slugs.begin(), slugs.end());
        std::sort(got.begin(), got.end());
    }
    if (slugs != got)
        found.push_back("body /data/" + key + ": expected slugs " + Json(slugs).dump() + ", got " + Json(got).dump());
    for (const auto& [name, number] : numbers)
        if (data.value(name, Json()) != number)
            found.push_back("body /data/" + name + ": expected " + std::to_string(number) + ", got " +
                            shown(data.value(name, Json())));
    return found;
}

}  // namespace

std::string expand(std::string_view text, const Variables& variables) {
    std::string out;
    for (;;) {
        const auto begin = text.find("{{");
        out += text.substr(0, begin);
        if (begin == std::string_view::npos) return out;
        const auto end = text.find("}}", begin);
        if (end == std::string_view::npos) throw std::runtime_error("{{ without }}");
        out += value_of(text.substr(begin + 2, end - begin - 2), variables);
        text.remove_prefix(end + 2);
    }
}

std::string fixture_token(std::string_view name) {
    return core::to_hex(core::sha256("fixture token " + std::string(name)));
}

bool matches(std::string_view expected, std::string_view actual) {
    if (expected.find('<') == std::string_view::npos) return expected == actual;
    static const std::regex special(R"([.*+?^${}()|[\]\\/])");
    std::string expression = std::regex_replace(std::string(expected), special, R"(\$&)");
    bool any = false;
    for (const auto& [name, kind] : placeholders)
        for (auto at = expression.find(name); at != std::string::npos;
             at = expression.find(name, at + std::string_view(kind).size())) {
            expression.replace(at, name.size(), kind);
            any = true;
        }
    if (!any) return expected == actual;
    return std::regex_match(actual.begin(), actual.end(), std::regex(expression));
}

std::vector<std::string> body_differences(const std::string& expected, const std::string& actual) {
    if (expected == "@any") return {};
    if (expected.empty())
        return actual.empty() ? std::vector<std::string>{}
                              : std::vector<std::string>{"body: expected none, got " + actual.substr(0, 300)};
    const Json got = Json::parse(actual, nullptr, false);
    if (got.is_discarded()) return {"body: no JSON: " + actual.substr(0, 300)};
    if (expected.starts_with("@list ")) return list_differences(expected, got, true);
    if (expected.starts_with("@unordered ")) return list_differences(expected, got, false);
    const Json wanted = Json::parse(expected, nullptr, false);
    if (wanted.is_discarded()) return {"the case's expected body is no JSON: " + expected.substr(0, 300)};
    std::vector<std::string> found;
    compare(wanted, got, "", found);
    return found;
}

}  // namespace tradepost::test
