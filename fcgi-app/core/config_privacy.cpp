#include "core/config_privacy.h"

#include <charconv>
#include <chrono>

#include "core/config_section.h"

namespace tradepost::core {

Time Retention::before(Time now) const {
    namespace c = std::chrono;
    const auto day = c::floor<c::days>(now);
    if (unit == Unit::day) return now - c::days(count);
    const auto date = c::year_month_day(day) - c::months(unit == Unit::year ? 12 * count : count);
    const auto there = date.ok() ? c::sys_days(date) : c::sys_days(date.year() / date.month() / c::last);
    return Time(there) + (now - day);
}

std::optional<Retention> parse_retention(std::string_view text) {
    struct Name {
        std::string_view one, many;
        Retention::Unit unit;
        int most;
    };
    static constexpr Name names[] = {{" day", " days", Retention::Unit::day, 3650},
                                     {" month", " months", Retention::Unit::month, 120},
                                     {" year", " years", Retention::Unit::year, 10}};
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || count < 1 || text.front() == '0') return {};
    text.remove_prefix(std::size_t(end - text.data()));
    for (const auto& name : names)
        if (text == (count == 1 ? name.one : name.many) && count <= name.most) return Retention{name.unit, count};
    return {};
}

void read_privacy(Section s, PrivacyConfig& privacy) {
    std::string retention;
    s.read("enquiry_retention", retention);
    s.finish();
    const auto* node = s.find("enquiry_retention");
    if (!node) return;
    privacy.enquiry_retention = parse_retention(retention);
    if (!privacy.enquiry_retention)
        s.fail(*node, "enquiry_retention", "must be a number of days, months or years, such as \"24 months\", at most 10 years");
}

}  // namespace tradepost::core
