#include "core/time.h"

#include <array>
#include <cstdio>

namespace tradepost::core {
namespace {

using namespace std::chrono;

struct Fields {
    int year = 0;
    unsigned month = 0, day = 0;
    int hour = 0, minute = 0, second = 0, milli = 0;
};

Fields split(Time time) {
    const auto day_point = floor<days>(time);
    const year_month_day date(day_point);
    const hh_mm_ss clock(time - day_point);
    return {int(date.year()),
            unsigned(date.month()),
            unsigned(date.day()),
            int(clock.hours().count()),
            int(clock.minutes().count()),
            int(clock.seconds().count()),
            int(clock.subseconds().count())};
}

void put(char* at, int value, int digits) {
    for (int i = digits - 1; i >= 0; --i, value /= 10) at[i] = char('0' + value % 10);
}

// "YYYY-MM-DD?HH:MM:SS.mmm", 23 characters.
void put_date_time(char* at, Time time, char separator) {
    const Fields f = split(time);
    put(at, f.year, 4);
    at[4] = '-';
    put(at + 5, int(f.month), 2);
    at[7] = '-';
    put(at + 8, int(f.day), 2);
    at[10] = separator;
    put(at + 11, f.hour, 2);
    at[13] = ':';
    put(at + 14, f.minute, 2);
    at[16] = ':';
    put(at + 17, f.second, 2);
    at[19] = '.';
    put(at + 20, f.milli, 3);
}

// Reads from the front of a text; once a read has failed all later ones fail.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    int number(int digits) {
        int value = 0;
        if (rest_.size() < std::size_t(digits)) return fail();
        for (int i = 0; i < digits; ++i) {
            if (rest_[i] < '0' || rest_[i] > '9') return fail();
            value = value * 10 + (rest_[i] - '0');
        }
        rest_.remove_prefix(digits);
        return value;
    }
    bool literal(char lower, char upper) {
        if (rest_.empty() || (rest_[0] != lower && rest_[0] != upper)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!literal(c, c)) fail();
    }
    // The digits after a point as milliseconds; further digits are cut off.
    int fraction() {
        int value = 0, count = 0;
        for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; rest_.remove_prefix(1), ++count)
            if (count < 3) value = value * 10 + (rest_[0] - '0');
        if (count == 0) return fail();
        for (; count < 3; ++count) value *= 10;
        return value;
    }
    bool done() const { return ok_ && rest_.empty(); }
    bool ok() const { return ok_; }

private:
    int fail() {
        ok_ = false;
        return 0;
    }
    std::string_view rest_;
    bool ok_ = true;
};

std::optional<Time> join(const Fields& f, int leap_seconds_allowed) {
    const year_month_day date{year(f.year), month(f.month), day(f.day)};
    if (!date.ok() || f.hour > 23 || f.minute > 59 || f.second > 59 + leap_seconds_allowed) return {};
    return Time(sys_days(date)) + hours(f.hour) + minutes(f.minute) + core::seconds(std::min(f.second, 59)) +
           milliseconds(f.milli);
}

void scan_date(Scanner& in, Fields& f) {
    f.year = in.number(4);
    in.expect('-');
    f.month = unsigned(in.number(2));
    in.expect('-');
    f.day = unsigned(in.number(2));
}

void scan_clock(Scanner& in, Fields& f) {
    f.hour = in.number(2);
    in.expect(':');
    f.minute = in.number(2);
    in.expect(':');
    f.second = in.number(2);
    if (in.ok() && in.literal('.', '.')) f.milli = in.fraction();
}

// Whether a second 60, read as the 59 before it, ends a month in UTC: only there can a leap second be (RFC 3339, section 5.7).
bool may_be_leap(Time time) {
    const auto next = time + core::seconds(1);
    const auto day = floor<days>(next);
    return next - day < core::seconds(1) && year_month_day(day).day() == std::chrono::day(1);
}

bool representable(Time time) {
    static const Time first = sys_days(year(0) / 1 / 1), end = sys_days(year(10000) / 1 / 1);
    return time >= first && time < end;
}

}  // namespace

std::string to_rfc3339(Time time) {
    std::string text(24, 'Z');
    put_date_time(text.data(), time, 'T');
    return text;
}

std::string to_sql(Time time) {
    std::string text(23, ' ');
    put_date_time(text.data(), time, ' ');
    return text;
}

std::optional<Time> parse_rfc3339(std::string_view text) {
    Scanner in(text);
    Fields f;
    scan_date(in, f);
    if (!in.literal('t', 'T')) return {};
    scan_clock(in, f);
    int offset_minutes = 0;
    if (!in.literal('z', 'Z')) {
        const bool west = in.literal('-', '-');
        if (!west) in.expect('+');
        const int offset_hour = in.number(2);
        in.expect(':');
        const int offset_minute = in.number(2);
        if (offset_hour > 23 || offset_minute > 59) return {};
        offset_minutes = (west ? -1 : 1) * (offset_hour * 60 + offset_minute);
    }
    if (!in.done()) return {};
    auto time = join(f, 1);
    if (time) *time -= minutes(offset_minutes);
    if (time && (!representable(*time) || (f.second == 60 && !may_be_leap(*time)))) return {};
    return time;
}

std::optional<Time> parse_date(std::string_view text) {
    Scanner in(text);
    Fields f;
    scan_date(in, f);
    return in.done() ? join(f, 0) : std::nullopt;
}

std::optional<Time> parse_sql(std::string_view text) {
    Scanner in(text);
    Fields f;
    scan_date(in, f);
    in.expect(' ');
    scan_clock(in, f);
    return in.done() ? join(f, 0) : std::nullopt;
}

std::string to_http_date(Time time) {
    static constexpr std::array names{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const Fields f = split(time);
    char text[40];
    const int length =
        std::snprintf(text, sizeof text, "%s, %02u %s %04d %02d:%02d:%02d GMT", names[weekday(floor<days>(time)).c_encoding()],
                      f.day, months[f.month - 1], f.year, f.hour, f.minute, f.second);
    return {text, std::size_t(length)};
}

}  // namespace tradepost::core
