// What goes into the database comes out the same, and the getters refuse what does not fit.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "support/database.h"

using namespace std::string_literals;
using namespace tradepost;

namespace {

struct Fixture {
    test::TestDatabase database;
    db::Connection connection{database.config()};

    std::string hex(db::Value value) { return connection.query("SELECT HEX(?)", {value}).at(0).text(0); }
    db::Row row(std::string_view sql) { return connection.query(sql).at(0); }
};

const std::string awkward =
    "quotes ' \" ` backslash \\ \\' \\\\ percent % _ NUL \0 ctrl-Z \x1a newline \r\n tab \t accents \xc3\xa9 emoji \xf0\x9f\x98\x80 ?"s;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(db_values, Fixture)

BOOST_AUTO_TEST_CASE(round_trips) {
    connection.execute(
        "CREATE TABLE t (id BINARY(16) PRIMARY KEY, text_ TEXT, bytes BLOB, i BIGINT, u BIGINT UNSIGNED, b TINYINT(1), at "
        "DATETIME(3), r DOUBLE)");
    std::string all_bytes;
    for (int i = 0; i < 256; ++i) all_bytes += char(i);
    const auto id = *core::Uuid::parse("01890a5d-ac96-774b-bcce-b302099a8057");
    const auto at = *core::parse_rfc3339("2026-02-28T23:59:59.999Z");
    const auto least = std::numeric_limits<std::int64_t>::min();
    const auto most = std::numeric_limits<std::uint64_t>::max();
    connection.execute("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, 0.1)",
                       {id, awkward, db::Binary{all_bytes}, least, most, true, at});

    const auto back = row("SELECT id, text_, bytes, i, u, b, at, r FROM t");
    BOOST_TEST(back.columns() == 8u);
    BOOST_CHECK(back.uuid(0) == id);
    BOOST_CHECK(back.opt_uuid(0) == id);
    BOOST_TEST(back.text(1) == awkward);
    BOOST_TEST(back.text(2) == all_bytes);
    BOOST_TEST(back.integer(3) == least);
    BOOST_TEST(back.unsigned_integer(4) == most);
    BOOST_TEST(back.boolean(5));
    BOOST_CHECK(back.time(6) == at);
    BOOST_CHECK(back.opt_time(6) == at);
    BOOST_TEST(back.real(7) == 0.1);
    BOOST_TEST(connection.query("SELECT 1 FROM t WHERE text_ = ? AND bytes = ? AND at = ?", {awkward, db::Binary{all_bytes}, at})
                   .size() == 1u);
}

BOOST_AUTO_TEST_CASE(one_statement_again_with_other_types_and_signs) {
    const char* sql = "SELECT ?";
    BOOST_TEST(connection.query(sql, {std::numeric_limits<std::uint64_t>::max()}).at(0).text(0) == "18446744073709551615");
    BOOST_TEST(connection.query(sql, {-1}).at(0).integer(0) == -1);
    BOOST_TEST(connection.query(sql, {"text"}).at(0).text(0) == "text");
    BOOST_TEST(connection.query(sql, {nullptr}).at(0).is_null(0));
    BOOST_TEST(connection.query(sql, {db::Binary{"\0x"s}}).at(0).text(0) == "\0x"s);
    BOOST_TEST(connection.query(sql, {db::Binary{"\0x"s}}).at(0).text(0) == "\0x"s);
}

BOOST_AUTO_TEST_CASE(values_are_never_sql) {
    connection.execute("CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a TEXT)");
    for (const std::string& attack : {"'; DROP TABLE t; -- "s, "\\'; DROP TABLE t; -- "s, "' OR '1'='1"s, "\\"s, "\\\\'"s,
                                      "\xbf' OR 1=1 -- "s, "\xe5\\' OR 1=1 -- "s, "*/ OR 1=1 /*"s, "?', ?"s, "\0' OR 1=1"s}) {
        if (attack[0] == '\xbf' || attack[0] == '\xe5') {
            // No UTF-8: an error or bytes, but never a condition.
            try {
                BOOST_TEST(connection.query("SELECT a FROM t WHERE a = ?", {attack}).empty());
            } catch (const db::Error&) {
            }
            continue;
        }
        BOOST_TEST(connection.query("SELECT a FROM t WHERE a = ? LIMIT 1", {attack}).empty());
        connection.execute("INSERT INTO t (a) VALUES (?)", {attack});
        BOOST_TEST(connection.query("SELECT a FROM t WHERE a = ?", {attack}).at(0).text(0) == attack);
        connection.execute("DELETE FROM t WHERE a = ? AND a = ?", {attack, attack});
        BOOST_TEST(connection.query("SELECT a FROM t").empty());
    }
}

BOOST_AUTO_TEST_CASE(text_that_is_no_utf8_is_refused) {
    connection.execute("CREATE TABLE t (a VARCHAR(20) PRIMARY KEY) CHARACTER SET utf8mb4");
    for (const char* bad : {"\xff", "\xc3", "\xc0\x80"})
        BOOST_CHECK_THROW(connection.execute("INSERT INTO t VALUES (?)", {bad}), db::Error);
    BOOST_TEST(connection.query("SELECT a FROM t").empty());
}

BOOST_AUTO_TEST_CASE(getters_convert_nothing_silently) {
    const auto null = row("SELECT NULL");
    BOOST_TEST(null.is_null(0));
    BOOST_CHECK(!null.opt_text(0) && !null.opt_integer(0) && !null.opt_uuid(0) && !null.opt_time(0));
    BOOST_CHECK_THROW(null.text(0), std::logic_error);
    BOOST_CHECK_THROW(null.integer(0), std::logic_error);
    BOOST_CHECK_THROW(null.boolean(0), std::logic_error);
    BOOST_CHECK_THROW(null.is_null(1), std::logic_error);
    BOOST_CHECK_THROW(null.opt_text(1), std::logic_error);

    for (const char* sql : {"SELECT 1.0", "SELECT 9223372036854775808", "SELECT -9223372036854775808 - 1.0", "SELECT 'x'",
                            "SELECT ''", "SELECT '1 '", "SELECT ' 1'", "SELECT '+1'", "SELECT '1e3'", "SELECT '0x10'"}) {
        BOOST_CHECK_THROW(row(sql).integer(0), std::logic_error);
        BOOST_CHECK_THROW(row(sql).opt_integer(0), std::logic_error);
    }
    for (const char* sql : {"SELECT -1", "SELECT 18446744073709551616", "SELECT 1.5"})
        BOOST_CHECK_THROW(row(sql).unsigned_integer(0), std::logic_error);
    for (const char* sql : {"SELECT 2", "SELECT -1", "SELECT ''", "SELECT 'true'", "SELECT '01'"})
        BOOST_CHECK_THROW(row(sql).boolean(0), std::logic_error);
    for (const char* sql : {"SELECT 'x'", "SELECT ''", "SELECT '1,5'", "SELECT 'nan'", "SELECT 'inf'"})
        BOOST_CHECK_THROW(row(sql).real(0), std::logic_error);
    for (const char* sql : {"SELECT ''", "SELECT x'00'", "SELECT REPEAT('x', 17)"})
        BOOST_CHECK_THROW(row(sql).uuid(0), std::logic_error);
    for (const char* sql : {"SELECT ''", "SELECT '2026-02-30 00:00:00'", "SELECT 'now'", "SELECT TIME '12:00:00'"})
        BOOST_CHECK_THROW(row(sql).time(0), std::logic_error);
    BOOST_TEST(!row("SELECT 0").boolean(0));
    BOOST_TEST(row("SELECT 12.50").real(0) == 12.5);
}

BOOST_AUTO_TEST_CASE(the_values_of_a_row_stay_out_of_messages) {
    try {
        row("SELECT 'secret'").integer(0);
        BOOST_ERROR("no exception");
    } catch (const std::logic_error& error) {
        BOOST_TEST(std::string(error.what()).find("secret") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(large_texts_and_many_rows) {
    const std::string large(8 << 20, '\'');
    BOOST_TEST(hex("'") == "27");
    BOOST_TEST(connection.query("SELECT LENGTH(?)", {db::Binary{std::string_view(large).substr(0, 4 << 20)}}).at(0).integer(0) ==
               4 << 20);
    BOOST_TEST(connection.query("SELECT REPEAT('x', 4000000)").at(0).text(0).size() == 4000000u);
    const auto rows = connection.query(
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i, NULLIF(i % 2, 0) FROM n "
        "ORDER BY i");
    BOOST_TEST(rows.size() == 1000u);
    BOOST_TEST(rows.back().integer(0) == 1000);
    BOOST_TEST(rows.back().is_null(1));
}

BOOST_AUTO_TEST_SUITE_END()
