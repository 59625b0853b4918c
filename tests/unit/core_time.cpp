#include "core/time.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost::core;

namespace {

Time at(int year, unsigned month, unsigned day, int hour = 0, int minute = 0, int second = 0, int milli = 0) {
    using namespace std::chrono;
    return Time(sys_days(year_month_day{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)})) +
           hours(hour) + minutes(minute) + std::chrono::seconds(second) + milliseconds(milli);
}

// The time that a text names, in the one form that we write; "none" when it names none.
std::string read(std::string_view text) {
    const auto time = parse_rfc3339(text);
    return time ? to_rfc3339(*time) : "none";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(times)

BOOST_AUTO_TEST_CASE(times_are_written_in_utc_with_milliseconds) {
    BOOST_TEST(to_rfc3339(at(2026, 1, 31, 9, 15)) == "2026-01-31T09:15:00.000Z");
    BOOST_TEST(to_rfc3339(at(1969, 12, 31, 23, 59, 59, 999)) == "1969-12-31T23:59:59.999Z");
    BOOST_TEST(to_rfc3339(at(0, 1, 1)) == "0000-01-01T00:00:00.000Z");
    BOOST_TEST(to_rfc3339(at(9999, 12, 31, 23, 59, 59, 7)) == "9999-12-31T23:59:59.007Z");
    BOOST_TEST(to_sql(at(2026, 1, 31, 9, 15, 7, 42)) == "2026-01-31 09:15:07.042");
}

BOOST_AUTO_TEST_CASE(rfc3339_is_read_in_all_its_forms) {
    BOOST_TEST(read("2026-01-31T09:15:00Z") == "2026-01-31T09:15:00.000Z");
    BOOST_TEST(read("2026-01-31t09:15:00z") == "2026-01-31T09:15:00.000Z");
    BOOST_TEST(read("2026-01-31T09:15:00.5Z") == "2026-01-31T09:15:00.500Z");
    BOOST_TEST(read("2026-01-31T09:15:00.04Z") == "2026-01-31T09:15:00.040Z");
    BOOST_TEST(read("2026-01-31T09:15:00.123999999999999999999Z") == "2026-01-31T09:15:00.123Z");
    BOOST_TEST(read("2026-01-31T00:15:00+05:45") == "2026-01-30T18:30:00.000Z");
    BOOST_TEST(read("2026-01-31T23:15:00-01:00") == "2026-02-01T00:15:00.000Z");
    BOOST_TEST(read("2026-01-31T23:15:00-00:00") == "2026-01-31T23:15:00.000Z");
    BOOST_TEST(read("2026-01-31T23:15:00+23:59") == "2026-01-30T23:16:00.000Z");
    BOOST_TEST(read("2024-02-29T00:00:00Z") == "2024-02-29T00:00:00.000Z");
    BOOST_TEST(read("2000-02-29T00:00:00Z") == "2000-02-29T00:00:00.000Z");
}

BOOST_AUTO_TEST_CASE(what_is_no_rfc3339_is_refused) {
    for (const std::string_view text : {"",
                                        "2026",
                                        "2026-01-31",
                                        "2026-01-31T09:15Z",
                                        "2026-01-31T09:15:00",
                                        "2026-01-31 09:15:00Z",
                                        "2026-01-31T09:15:00.Z",
                                        "2026-01-31T09:15:00,5Z",
                                        "2026-01-31T09:15:00ZZ",
                                        "2026-01-31T09:15:00Z ",
                                        " 2026-01-31T09:15:00Z",
                                        "2026-1-31T09:15:00Z",
                                        "26-01-31T09:15:00Z",
                                        "+2026-01-31T09:15:00Z",
                                        "-026-01-31T09:15:00Z",
                                        "12026-01-31T09:15:00Z",
                                        "20260131T091500Z",
                                        "2026-00-31T09:15:00Z",
                                        "2026-13-31T09:15:00Z",
                                        "2026-01-00T09:15:00Z",
                                        "2026-01-32T09:15:00Z",
                                        "2026-04-31T09:15:00Z",
                                        "2025-02-29T00:00:00Z",
                                        "1900-02-29T00:00:00Z",
                                        "2026-01-31T24:00:00Z",
                                        "2026-01-31T09:60:00Z",
                                        "2026-01-31T09:15:61Z",
                                        "2026-01-31T09:15:00+01",
                                        "2026-01-31T09:15:00+0100",
                                        "2026-01-31T09:15:00+24:00",
                                        "2026-01-31T09:15:00+01:60",
                                        "2026-01-31T09:15:00*01:00",
                                        "2026-01-31T09:15:00+01:00Z",
                                        "2026-01-31T 9:15:00Z",
                                        "2026-01-31T+9:15:00Z",
                                        "2026/01/31T09:15:00Z",
                                        "\xD9\xA2\xD9\xA0\xD9\xA2\xD9\xA6-01-31T09:15:00Z"})
        BOOST_TEST(read(text) == "none", text);
    BOOST_TEST(read(std::string_view("2026-01-31T09:15:00Z\0", 21)) == "none");
}

// RFC 3339, sections 5.6 and 5.7: second 60 only where UTC can have it, at the end of a month.
BOOST_AUTO_TEST_CASE(leap_second_counts_as_the_second_before) {
    BOOST_TEST(read("2016-12-31T23:59:60Z") == "2016-12-31T23:59:59.000Z");
    BOOST_TEST(read("2016-12-31T23:59:60.75Z") == "2016-12-31T23:59:59.750Z");
    BOOST_TEST(read("1990-12-31T15:59:60-08:00") == "1990-12-31T23:59:59.000Z");
    BOOST_TEST(read("2017-01-01T05:29:60+05:30") == "2016-12-31T23:59:59.000Z");
    BOOST_TEST(read("2016-06-30T23:59:60Z") == "2016-06-30T23:59:59.000Z");
    BOOST_TEST(read("2016-12-31T12:34:60Z") == "none");
    BOOST_TEST(read("2016-12-30T23:59:60Z") == "none");
    BOOST_TEST(read("2016-12-31T23:59:60+01:00") == "none");
    BOOST_TEST(read("2016-12-31T23:59:61Z") == "none");
}

BOOST_AUTO_TEST_CASE(years_go_from_0000_to_9999_in_utc) {
    BOOST_TEST(read("0000-01-01T00:00:00Z") == "0000-01-01T00:00:00.000Z");
    BOOST_TEST(read("9999-12-31T23:59:59.999Z") == "9999-12-31T23:59:59.999Z");
    BOOST_TEST(read("0000-01-01T00:00:00+00:01") == "none");
    BOOST_TEST(read("9999-12-31T23:59:59-00:01") == "none");
    BOOST_TEST(read("9999-12-31T23:59:00-00:01") == "none");
    BOOST_TEST(read("9999-12-31T23:59:59+00:01") == "9999-12-31T23:58:59.000Z");
    BOOST_TEST(read("0000-01-01T00:00:00-00:01") == "0000-01-01T00:01:00.000Z");
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_back) {
    for (auto time = at(0, 1, 1); time < at(9999, 12, 31); time += std::chrono::hours(24 * 97 + 5) + milliseconds(1234567)) {
        BOOST_REQUIRE(parse_rfc3339(to_rfc3339(time)) == time);
        BOOST_REQUIRE(parse_sql(to_sql(time)) == time);
    }
}

BOOST_AUTO_TEST_CASE(dates_are_their_first_millisecond) {
    BOOST_TEST((parse_date("2026-01-31") == at(2026, 1, 31)));
    BOOST_TEST((parse_date("2024-02-29") == at(2024, 2, 29)));
    for (const char* text :
         {"", "2026-02-29", "2026-01-31T00:00:00Z", "2026-01-31 ", "2026-1-1", "31-01-2026", "2026-01", "20260131", "2026-01-3a"})
        BOOST_TEST(!parse_date(text), text);
}

BOOST_AUTO_TEST_CASE(sql_times_read_with_and_without_fraction) {
    BOOST_TEST((parse_sql("2026-01-31 09:15:00") == at(2026, 1, 31, 9, 15)));
    BOOST_TEST((parse_sql("2026-01-31 09:15:00.120000") == at(2026, 1, 31, 9, 15, 0, 120)));
    for (const char* text :
         {"", "2026-01-31", "2026-01-31T09:15:00", "0000-00-00 00:00:00", "2026-01-31 09:15:60", "2026-01-31 09:15:00Z"})
        BOOST_TEST(!parse_sql(text), text);
}

// The example of RFC 9110, section 5.6.7.
BOOST_AUTO_TEST_CASE(http_dates) {
    BOOST_TEST(to_http_date(at(1994, 11, 6, 8, 49, 37)) == "Sun, 06 Nov 1994 08:49:37 GMT");
    BOOST_TEST(to_http_date(at(2026, 1, 31, 9, 15, 0, 999)) == "Sat, 31 Jan 2026 09:15:00 GMT");
    BOOST_TEST(to_http_date(at(2000, 2, 29)) == "Tue, 29 Feb 2000 00:00:00 GMT");
    BOOST_TEST(to_http_date(at(1969, 12, 31, 23, 59, 59)) == "Wed, 31 Dec 1969 23:59:59 GMT");
}

BOOST_AUTO_TEST_SUITE_END()
