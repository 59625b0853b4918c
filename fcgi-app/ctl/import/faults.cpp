#include "ctl/import/faults.h"

#include <algorithm>

#include "core/text.h"
#include "fields/differences.h"

namespace tradepost::ctl {
namespace {

std::string number(std::int64_t amount, int digits) {
    std::string text = std::to_string(amount);
    const auto places = std::size_t(digits);
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    for (std::size_t at = text.size() - places; at > 3; at -= 3) text.insert(at - 3, ",");
    if (places > 0) text.insert(text.size() - places, ".");
    return text;
}

constexpr std::size_t most_digits = 15;  // of a number that is told in another unit

struct Decimal {
    std::string whole, fraction;  // digits, the fraction without zeros at its end
    bool has_point;
};

// Digits with at most one point among them, as a JSON number or within a string.
std::optional<Decimal> decimal(const json::Json& value) {
    if (!value.is_string() && !value.is_number()) return {};
    const std::string text = value.is_string() ? std::string(core::trim(value.get_ref<const std::string&>())) : value.dump();
    const auto point = text.find('.');
    Decimal found{text.substr(0, point), "", point != std::string::npos};
    if (found.has_point) found.fraction = text.substr(point + 1);
    const auto are_digits = [](const std::string& part) { return part.find_first_not_of("0123456789") == std::string::npos; };
    if (found.whole.empty() || found.whole.size() > most_digits || !are_digits(found.whole) || !are_digits(found.fraction))
        return {};
    found.fraction.erase(found.fraction.find_last_not_of('0') + 1);
    return found;
}

std::string currency_of(const json::Json& object, std::string_view field) {
    const auto found = object.find(field);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// "12.50 GBP are 1250"; empty when the currency has no such unit.
std::string conversion(const Decimal& number, const std::string& currency) {
    const auto digits = std::size_t(fields::minor_digits(currency));
    if (number.fraction.size() > digits) return "";
    const std::string fraction = number.fraction + std::string(digits - number.fraction.size(), '0');
    const auto minor = std::stoll(number.whole + fraction);
    return amount_text(minor, currency, true) + " are " + std::to_string(minor);
}

std::string price_hint(const std::optional<Decimal>& number, const std::string& currency) {
    if (fields::minor_digits(currency) == 0) return "without quotes and decimals: " + currency + " has no minor units";
    const std::string unit = "in minor units (pence, cents)";
    if (!number) return unit;
    if (!number->has_point)
        return unit + ", and not a string: " + number->whole + " are " + amount_text(std::stoll(number->whole), currency, true);
    const auto example = conversion(*number, currency);
    return example.empty() ? unit : unit + ": " + example;
}

}  // namespace

std::string amount_text(std::int64_t amount, std::string_view currency, bool minor_units) {
    return number(amount, minor_units ? fields::minor_digits(currency) : 0) + (currency.empty() ? "" : " ") +
           std::string(currency);
}

void Amounts::add(std::string_view field, const std::string& currency, bool minor_units, std::int64_t amount) {
    auto& range =
        ranges_.try_emplace({std::string(field), currency}, Range{std::string(field), currency, minor_units, amount, amount})
            .first->second;
    range.least = std::min(range.least, amount);
    range.most = std::max(range.most, amount);
}

std::vector<Amounts::Range> Amounts::ranges() const {
    std::vector<Range> all;
    for (const auto& [key, range] : ranges_) all.push_back(range);
    return all;
}

std::string to_text(const Amounts::Range& range) {
    const int digits = range.minor_units ? fields::minor_digits(range.currency) : 0;
    const std::string unit = !range.currency.empty() ? range.currency
                             : range.minor_units     ? "minor units, without a currency"
                                                     : "without a currency";
    const auto text = [&](std::int64_t amount) { return number(amount, range.currency.empty() ? 0 : digits); };
    return range.field + ": " + text(range.least) + " to " + text(range.most) + " " + unit;
}

std::string hint(std::string_view field, const fields::Rule& rule, const json::Json& object) {
    const auto& value = object.at(std::string(field));
    if (rule.kind == fields::Kind::boolean && (value == "true" || value == "false")) return "without quotes";
    if (rule.kind != fields::Kind::integer) return "";
    const auto number = decimal(value);
    if (rule.money.minor_units) {
        const auto currency = currency_of(object, rule.money.currency);
        return price_hint(number, fields::is_currency(currency) ? currency : "");
    }
    if (!number) return "";
    if (!rule.money.currency.empty() && number->has_point) return "in whole units of the currency";
    return value.is_string() && !number->has_point ? "not a string: " + number->whole + " without quotes" : "";
}

Faults::Fault Faults::describe(std::size_t line, const http::ApiError& error) {
    constexpr std::string_view invalid = "Invalid field: ", unknown = "Unknown field: ";
    const std::string& text = error.external;
    if (text.starts_with(invalid)) {
        const auto name = text.substr(invalid.size(), text.find(": ", invalid.size()) - invalid.size());
        return {line, name, text.substr(std::min(text.size(), invalid.size() + name.size() + 2)), text};
    }
    if (text.starts_with(unknown))
        return {line, fields::shown(text.substr(unknown.size())), "is unknown: see tradepostctl import fields", text};
    if (text != http::invalid_json().external) return {line, "", text, text};
    const auto advice = text + ": each line must be one JSON object (jq -c writes such lines)";
    return {line, "", advice, advice};
}

void Faults::add(Fault fault) {
    ++count_;
    lines_at_fault_.insert(fault.line);
    const auto later = [](std::size_t line, const Fault& other) { return line < other.line; };
    const auto place = std::upper_bound(first_.begin(), first_.end(), fault.line, later);
    if (place == first_.end() && first_.size() == most_shown) return;
    first_.insert(place, std::move(fault));
    if (first_.size() > most_shown) first_.pop_back();
}

void Faults::raise(const Lines& lines_read) const {
    if (count_ == 0) return;
    std::string text = first_.front().text;
    if (count_ > 1)
        text += " (the first of " + std::to_string(count_) + " faults in " + std::to_string(lines()) +
                (lines() == 1 ? " line" : " lines") + ")";
    throw Faulty(lines_read.fault(first_.front().line, text), *this);
}

}  // namespace tradepost::ctl
