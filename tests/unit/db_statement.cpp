#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/host.h"
#include "db/failure.h"
#include "db/statement.h"

using namespace std::string_literals;
using namespace tradepost;

namespace {
std::string render(std::string_view sql, std::vector<db::Value> values = {}) {
    return db::render(sql, values);
}
}  // namespace

BOOST_AUTO_TEST_SUITE(db_statement)

BOOST_AUTO_TEST_CASE(literals) {
    BOOST_TEST(db::literal(nullptr) == "NULL");
    BOOST_TEST(db::literal(std::nullopt) == "NULL");
    BOOST_TEST(db::literal(std::optional<std::string>()) == "NULL");
    BOOST_TEST(db::literal(true) == "1");
    BOOST_TEST(db::literal(-1) == "-1");
    BOOST_TEST(db::literal(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
    BOOST_TEST(db::literal(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    BOOST_TEST(db::literal(std::numeric_limits<std::uint32_t>::max()) == "4294967295");
    BOOST_TEST(db::literal("") == "''");
    BOOST_TEST(db::literal("a\0b\n\r\x1a'\"\\%_"s) == "'a\\0b\\n\\r\\Z\\'\\\"\\\\%_'");
    BOOST_TEST(db::literal("\xf0\x9f\x98\x80") == "'\xf0\x9f\x98\x80'");
    BOOST_TEST(db::literal(db::Binary{"\0'\xff"s}) == "x'0027ff'");
    BOOST_TEST(db::literal(db::Binary{""}) == "x''");
    BOOST_TEST(db::literal(*core::Uuid::parse("01890a5d-ac96-774b-bcce-b302099a8057")) == "x'01890a5dac96774bbcceb302099a8057'");
    BOOST_TEST(db::literal(*core::parse_rfc3339("2026-01-31T09:15:00.007Z")) == "'2026-01-31 09:15:00.007'");
}

BOOST_AUTO_TEST_CASE(values_take_their_places_in_order) {
    BOOST_TEST(render("SELECT ?, ? FROM t WHERE a=?", {1, "x", nullptr}) == "SELECT 1, 'x' FROM t WHERE a=NULL");
    BOOST_TEST(render("SELECT 1") == "SELECT 1");
    BOOST_TEST(render("?", {"?"}) == "'?'");
    BOOST_TEST(render("?,?", {"'?", "?'"}) == "'\\'?','?\\''");
}

BOOST_AUTO_TEST_CASE(question_marks_in_quotes_and_comments_are_no_places) {
    for (const char* quoted : {"'?'", "\"?\"", "`?`", "'it''s ?'", "'\\'?'", "\"\\\"?\"", "`a``?`", "/* ? ' */", "/*?*/",
                               "-- ? '\n", "--\t?\n", "# ? \"\n", "'\\\\'", "''"}) {
        BOOST_TEST(render("SELECT "s + quoted + " ?", {7}) == "SELECT "s + quoted + " 7");
    }
    BOOST_TEST(render("SELECT ? -- ?", {7}) == "SELECT 7 -- ?");
    BOOST_TEST(render("SELECT ? --", {7}) == "SELECT 7 --");
    BOOST_TEST(render("SELECT 5--?", {7}) == "SELECT 5--7");
    BOOST_TEST(render("SELECT 6/?*2", {7}) == "SELECT 6/7*2");
    BOOST_TEST(render("SELECT `\\`, ?", {7}) == "SELECT `\\`, 7");
}

BOOST_AUTO_TEST_CASE(wrong_numbers_of_values_and_open_quotes_are_refused) {
    BOOST_CHECK_THROW(render("SELECT ?"), std::logic_error);
    BOOST_CHECK_THROW(render("SELECT ?", {1, 2}), std::logic_error);
    BOOST_CHECK_THROW(render("SELECT '?'", {1}), std::logic_error);
    for (const char* open : {"'", "\"", "`", "'\\'", "/*", "/* *", "'''"}) BOOST_CHECK_THROW(render(open), std::logic_error);
}

BOOST_AUTO_TEST_CASE(only_one_statement) {
    BOOST_TEST(db::only_statement("SELECT 1") == "SELECT 1");
    BOOST_TEST(db::only_statement("-- a; b\nSELECT ';' ; \n-- end; here\n/* ; */") == "-- a; b\nSELECT ';' ");
    for (const char* bad : {"", "  ", "-- nothing", ";", "SELECT 1; SELECT 2", "SELECT 1;;x", "/* */;", "SELECT 1; '"}) {
        BOOST_CHECK_THROW(db::only_statement(bad), std::logic_error);
    }
}

BOOST_AUTO_TEST_CASE(messages_show_the_beginning_on_one_line) {
    BOOST_TEST(db::abbreviate("  SELECT\n   1\t FROM t") == "SELECT 1 FROM t");
    const auto longer = db::abbreviate(std::string(500, 'x'));
    BOOST_TEST(longer.size() == 123u);
    BOOST_TEST(longer.ends_with("..."));
}

BOOST_AUTO_TEST_CASE(errors_lose_the_values_that_the_server_quotes) {
    const std::vector<std::pair<std::string, std::string>> rows{
        {"Duplicate entry 'anna@example.com' for key 'email'", "Duplicate entry '...' for key 'email'"},
        {"Duplicate entry 'a' for key 'b' for key 'email'", "Duplicate entry '...' for key 'email'"},
        {"Incorrect string value: '\\xF0' for column `a`.`b` at row 1",
         "Incorrect string value: '...' for column `a`.`b` at row 1"},
        {"Truncated incorrect DOUBLE value: 'anna'", "Truncated incorrect DOUBLE value: '..."},
        {"You have an error near 'anna' at line 1", "You have an error near '...' at line 1"},
        {"index jobs: syntax error, unexpected '|' near ' anna'", "index jobs: syntax error, unexpected '|' near '..."},
        {"Unknown column 'a' in 'field list'", "Unknown column 'a' in 'field list'"},
    };
    for (const auto& [said, logged] : rows) BOOST_TEST(db::make_failure(7, said, "SELECT 1").text == logged + " (7): SELECT 1");
}

BOOST_AUTO_TEST_CASE(statements_have_the_names_of_functions) {
    using db::statement_name;
    BOOST_TEST(statement_name("") == "");
    BOOST_TEST(statement_name(
                   "std::optional<tradepost::uploads::Upload> tradepost::uploads::Uploads::find(const tradepost::core::Uuid&)") ==
               "uploads::Uploads::find");
    BOOST_TEST(statement_name("std::map<std::string, int> tradepost::lists::{anonymous}::count(tradepost::db::Connection&)") ==
               "lists::count");
    BOOST_TEST(statement_name("tradepost::writes::ContentWriter<Table>::find(int) [with Table = tradepost::jobs::JobTable]") ==
               "writes::ContentWriter::find");
    BOOST_TEST(statement_name("std::string tradepost::uploads::Uploads::key(std::string_view)::<lambda()>") ==
               "uploads::Uploads::key");
    BOOST_TEST(statement_name("const int* tradepost::db::Connection::Impl::open()") == "db::Connection::open");
    BOOST_TEST(statement_name("const int& f(int)") == "f");
}

BOOST_AUTO_TEST_CASE(what_only_reads) {
    for (const char* sql : {"SELECT 1", " select\n1", "SHOW STATUS"}) BOOST_TEST(db::only_reads(sql));
    for (const char* sql : {"INSERT INTO t VALUES (1) RETURNING id", "DELETE FROM t RETURNING id", "", "sel", "SET x=1",
                            "WITH a AS (SELECT 1) DELETE FROM a"})
        BOOST_TEST(!db::only_reads(sql));
}

BOOST_AUTO_TEST_CASE(which_hosts_are_this_one) {
    for (const char* host : {"", "localhost", "127.0.0.1", "127.255.0.9", "::1"}) BOOST_TEST(core::is_this_host(host), host);
    for (const char* host : {"db.example.com", "128.0.0.1", "127.0.0.1.example.com", "127.1", "::2", "10.0.0.1",
                             "localhost.example.com", "2130706433"})
        BOOST_TEST(!core::is_this_host(host), host);
}

BOOST_AUTO_TEST_SUITE_END()
