// This file alone compiles nlohmann's parser and serializer for Json, which takes seconds: hence json/texts.h is here too.
#include "json/parse.h"

#include <charconv>
#include <cstdlib>
#include <optional>

#include "http/error.h"
#include "json/texts.h"

namespace tradepost::json {
namespace {

// The digits of a JSON number with a fraction or an exponent whose value is whole and may fit 64 bits: "1850000" for 1850000.0 and for 1.85e6,
// which are integers in JSON Schema (draft 6 and later, "integer"). Exact, since it moves the point in the text.
std::optional<std::string> whole_number(std::string_view text) {
    constexpr std::size_t most_digits = 20;
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const auto mark = text.find_first_of("eE");
    const auto mantissa = text.substr(0, mark);
    const auto point = mantissa.find('.');
    std::string digits(mantissa.substr(0, point));
    std::int64_t exponent = 0;  // of ten, behind the last of `digits`
    if (point != std::string_view::npos) {
        digits.append(mantissa.substr(point + 1));
        exponent -= std::int64_t(mantissa.size() - point - 1);
    }
    const auto first = digits.find_first_not_of('0');
    if (first == std::string::npos) return "0";
    digits.erase(0, first);
    if (mark != std::string_view::npos) {
        auto shift = text.substr(mark + 1);
        if (shift.starts_with('+')) shift.remove_prefix(1);
        std::int64_t number = 0;
        if (std::from_chars(shift.data(), shift.data() + shift.size(), number).ec != std::errc() ||
            std::abs(number) > std::int64_t(INT32_MAX))
            return {};
        exponent += number;
    }
    for (; exponent < 0 && digits.ends_with('0'); ++exponent) digits.pop_back();
    if (exponent < 0 || digits.size() + std::size_t(exponent) > most_digits) return {};
    digits.append(std::size_t(exponent), '0');
    return negative ? "-" + digits : digits;
}

// Builds the value as nlohmann's own handler would, and refuses more (API rules, "JSON bodies"). Refusing depth here keeps a body of
// brackets from ever becoming a deep value, whose destructor would recurse.
class Builder : public nlohmann::json_sax<Json> {
public:
    explicit Builder(Json& root) : root_(root) {}
    const std::string& why() const { return why_; }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    // A whole number arrives here only when it fits no 64-bit integer.
    bool number_float(number_float_t value, const string_t& digits) override {
        if (digits.find_first_of(".eE") == std::string::npos) return refuse("number too large");
        if (const auto whole = whole_number(digits)) {
            std::int64_t number = 0;
            const auto* const end = whole->data() + whole->size();
            if (const auto [stop, error] = std::from_chars(whole->data(), end, number); error == std::errc() && stop == end)
                return put(number);
        }
        return put(value);
    }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return refuse("binary"); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        Json& object = *stack_.back();
        if (object.contains(name)) return refuse("duplicate name");
        slot_ = &object[name];
        return true;
    }
    // Without the library's own text: that quotes the body, which may hold a password, and this goes to the log.
    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
        return refuse("syntax error at byte " + std::to_string(byte));
    }

private:
    Json* place(Json&& value) {
        if (stack_.empty()) return &(root_ = std::move(value));
        if (stack_.back()->is_array()) {
            stack_.back()->push_back(std::move(value));
            return &stack_.back()->back();
        }
        return &(*slot_ = std::move(value));
    }
    template <class Value>
    bool put(Value&& value) {
        if (++values_ > max_values) return refuse("too many values");
        place(Json(std::forward<Value>(value)));
        return true;
    }
    // An array that grows moves its elements, but only ever while no element of it is open.
    bool open(Json&& container) {
        if (stack_.size() == max_depth) return refuse("nested too deep");
        if (++values_ > max_values) return refuse("too many values");
        stack_.push_back(place(std::move(container)));
        return true;
    }
    bool close() {
        stack_.pop_back();
        return true;
    }
    bool refuse(std::string why) {
        why_ = std::move(why);
        return false;
    }

    Json& root_;
    std::vector<Json*> stack_;
    Json* slot_ = nullptr;
    int values_ = 0;
    std::string why_;
};

}  // namespace

Json parse(std::string_view text) {
    // nlohmann skips a byte order mark and takes a NUL as the end of its input.
    if (text.starts_with("\xEF\xBB\xBF")) throw http::invalid_json("byte order mark");
    if (text.find('\0') != std::string_view::npos) throw http::invalid_json("NUL byte");
    Json root;
    Builder builder(root);
    if (!Json::sax_parse(text.begin(), text.end(), &builder)) throw http::invalid_json(builder.why());
    return root;
}

std::string dump(const Json& value) {
    return value.dump();
}

std::string dump(const std::vector<std::string>& texts) {
    return Json(texts).dump();
}

std::string dump(const std::map<std::string, std::string>& texts) {
    return Json(texts).dump();
}

std::vector<std::string> parse_texts(std::string_view json) {
    return Json::parse(json).get<std::vector<std::string>>();
}

std::map<std::string, std::string> parse_text_map(std::string_view json) {
    return Json::parse(json).get<std::map<std::string, std::string>>();
}

}  // namespace tradepost::json
