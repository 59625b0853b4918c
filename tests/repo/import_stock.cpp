// Imports and exports of stock (API rules, "Commands").
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "repo/import_support.h"
#include "support/threads.h"

using namespace tradepost;
using ctl::import_stock;

namespace {

constexpr const char* first_id = "0190a000-0000-7000-8000-000000000001";
constexpr const char* second_id = "0190a000-0000-7000-8000-000000000002";

struct Fixture : test::ImportFixture {
    std::string put(const std::string& text) { return import(import_stock, text); }

    // A line of north-tractors: `more` begins with a comma.
    static std::string line(const std::string& reference, const std::string& more = "") {
        return R"({"organisation":"north-tractors","reference":")" + reference + R"(","title":"Tractor")" + more + "}\n";
    }
    std::string upload(int n, const char* organisation, const char* status = "READY") {
        const std::string id = "0190a000-0000-7000-8000-0000000070" + std::to_string(10 + n);
        connection.execute(
            "INSERT INTO uploads (id, organisation_id, status, filename, content_type, content_hash, created_at, detached_at) "
            "SELECT ?, id, ?, 'a', 'image/png', REPEAT(CHAR(?), 32), ?, ? FROM organisations WHERE slug = ?",
            {core::Uuid::parse(id).value(), status, n, clock.now(), clock.now(), organisation});
        return id;
    }
    std::string states() { return value("GROUP_CONCAT(attachments, IF(detached_at IS NULL, '', '!') ORDER BY id) FROM uploads"); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(stock_imports, Fixture)

BOOST_AUTO_TEST_CASE(a_line_makes_a_row) {
    BOOST_TEST(put(line("T-1")) == "1/0/0");
    BOOST_TEST(
        value("CONCAT_WS('|', reference, title, status, availability, attributes, created_at, updated_at) FROM stock_items") ==
        "T-1|Tractor|DRAFT|IN_STOCK|{}|" + core::to_sql(clock.now()) + "|" + core::to_sql(clock.now()));
    BOOST_TEST(put(line("T-1") + "\n" + line("t-1") + line("T 1")) == "2/0/1");
    BOOST_TEST(count("stock_items") == 3);
}

BOOST_AUTO_TEST_CASE(ids_states_and_times_are_taken_as_given) {
    const auto text = line(
        "T-1",
        std::string(R"(,"id":")") + first_id +
            R"(","status":"ARCHIVED","condition":"USED","createdAt":"2025-01-01T00:00:00Z","updatedAt":"2025-02-01T00:00:00Z")");
    BOOST_TEST(put(text) == "1/0/0");
    BOOST_TEST(value("CONCAT_WS('|', LOWER(HEX(id)), status, item_condition, created_at, updated_at) FROM stock_items") ==
               "0190a000000070008000000000000001|ARCHIVED|USED|2025-01-01 00:00:00.000|" + core::to_sql(clock.now()));
    BOOST_TEST(put(text) == "0/0/1");
}

BOOST_AUTO_TEST_CASE(what_is_imported_is_as_new_as_the_import) {
    for (const char* time : {"2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"}) {
        const auto given = [&](const std::string& more) { return line("T-1", more + R"(,"updatedAt":")" + time + '"'); };
        connection.execute("DELETE FROM stock_items");
        BOOST_TEST(put(given("")) == "1/0/0");
        BOOST_TEST(value("updated_at FROM stock_items") == core::to_sql(clock.now()));
        clock.advance(std::chrono::hours(1));
        BOOST_TEST(put(given("")) == "0/0/1");
        BOOST_TEST(value("updated_at FROM stock_items") == core::to_sql(clock.now() - std::chrono::hours(1)));
        BOOST_TEST(put(given(R"(,"make":"Fendt")")) == "0/1/0");
        BOOST_TEST(value("updated_at FROM stock_items") == core::to_sql(clock.now()));
    }
}

BOOST_AUTO_TEST_CASE(a_second_import_updates_and_keeps_the_state) {
    put(line("T-1", R"(,"status":"PUBLISHED","price":1,"currency":"GBP","make":"Fendt","attributes":{"a":"b"})"));
    const auto made = core::to_sql(clock.now());
    clock.advance(std::chrono::hours(1));
    BOOST_TEST(put(line("T-1", R"(,"price":1,"currency":"GBP","make":"Fendt","attributes":{"a":"b"})")) == "0/0/1");
    BOOST_TEST(value("updated_at FROM stock_items") == made);
    BOOST_TEST(put(line("T-1", R"(,"price":2,"currency":"GBP")")) == "0/1/0");
    BOOST_TEST(value("CONCAT_WS('|', status, price, make IS NULL, attributes, created_at, updated_at) FROM stock_items") ==
               "PUBLISHED|2|1|{}|" + made + "|" + core::to_sql(clock.now()));
    BOOST_TEST(put(line("T-1")) == "1: Invalid field: price: is required to publish");
    BOOST_TEST(put(line("T-1", R"(,"status":"DRAFT")")) == "0/1/0");
}

BOOST_AUTO_TEST_CASE(a_bad_line_is_named_and_nothing_is_written) {
    const auto refused = [&](const std::string& bad, const std::string& why) {
        BOOST_TEST(put(line("good") + "\n" + bad + "\n" + line("other")) == "3: " + why);
    };
    const std::string o = R"("organisation":"north-tractors")", rt = R"("reference":"r","title":"t",)";
    refused("{", "Invalid JSON body: each line must be one JSON object (jq -c writes such lines)");
    refused("7", "Invalid field: body: must be an object");
    refused("{" + o + R"(,"title":"t"})", "Invalid field: reference: is required");
    refused("{" + o + R"(,"reference":"","title":"t"})", "Invalid field: reference: must be 1 to 64 characters long");
    refused("{" + rt + R"("colour":1,)" + o + "}", "Unknown field: colour");
    refused("{" + rt + R"("slug":"a",)" + o + "}", "Unknown field: slug");
    refused("{" + rt + R"("id":"x",)" + o + "}", "Invalid field: id: must be a UUID");
    refused("{" + rt + R"("price":1.5,)" + o + "}",
            "Invalid field: price: must be an integer, in minor units (pence, cents): 1.50 are 150");
    refused("{" + rt + R"("status":"PUBLISHED",)" + o + "}", "Invalid field: price: is required to publish");
    refused("{" + rt + R"("images":[{"uploadId":"x"}],)" + o + "}", "Invalid field: images: uploadId must be a UUID");
    refused("{" + rt + R"("organisation":null})", "Invalid field: organisation: must not be null");
    refused("{" + rt + R"("organisation":"nobody"})", "Invalid field: organisation: there is no organisation nobody");
    refused(R"({"reference":"r","title":"t"})", "Invalid field: organisation: is required");
    refused(R"({"reference":"r","title":"t","id":")" + std::string(first_id) + R"("})",
            "Invalid field: organisation: is required");
    BOOST_TEST(count("stock_items") == 0);
}

BOOST_AUTO_TEST_CASE(a_key_twice_in_one_file) {
    BOOST_TEST(put(line("a") + line("b") + line("a")) == "3: the reference of north-tractors a is that of line 1 too");
    const std::string id = std::string(R"(,"id":")") + first_id + "\"";
    BOOST_TEST(put(line("a", id) + line("b", id)) == "2: the id 0190a000-0000-7000-8000-000000000001 is that of line 1 too");
    BOOST_TEST(put(line("a", id)) == "1/0/0");
    BOOST_TEST(put(line("a") + R"({"reference":"a","title":"t")" + id + "}") == "2: this is the same row as that of line 1");
    BOOST_TEST(put(line("a") + R"({"organisation":"south-marine","reference":"a","title":"t"})") == "1/0/1");
}

BOOST_AUTO_TEST_CASE(references_and_ids_of_other_rows) {
    const auto with_id = [](const char* id) { return std::string(R"(,"id":")") + id + "\""; };
    put(line("a", with_id(first_id)) + line("b", with_id(second_id)));
    BOOST_TEST(put(line("b", with_id(first_id))) == "1: id and reference name two different rows: leave the id out");
    BOOST_TEST(put(line("b", with_id("0190a000-0000-7000-8000-000000000003"))) ==
               std::string("1: the reference b belongs to the row ") + second_id + ": leave out the id to update that");
    BOOST_TEST(put(R"({"organisation":"south-marine","reference":"a","title":"t")" + with_id(first_id) + "}") ==
               std::string("1: the id ") + first_id + " belongs to another organisation's row");
    BOOST_TEST(put(R"({"reference":"c","title":"t")" + with_id(first_id) + "}") == "0/1/0");
    BOOST_TEST(put(R"({"reference":"b","title":"t")" + with_id(first_id) + "}") ==
               std::string("1: the reference b belongs to the row ") + second_id + ": choose another one");
    BOOST_TEST(value("GROUP_CONCAT(reference ORDER BY reference) FROM stock_items") == "b,c");
}

BOOST_AUTO_TEST_CASE(images_are_attached_and_detached) {
    const auto one = upload(1, "north-tractors"), two = upload(2, "north-tractors"), other = upload(3, "south-marine"),
               pending = upload(4, "north-tractors", "PENDING");
    const auto images = [](const std::string& a) { return R"(,"images":[{"uploadId":")" + a + "\"}]"; };
    BOOST_TEST(put(line("a", images(one)) + line("b", images(one))) == "2/0/0");
    BOOST_TEST(states() == "2,0!,0!,0!");
    BOOST_TEST(put(line("a", images(one)) + line("b", images(two))) == "0/1/1");
    BOOST_TEST(states() == "1,1,0!,0!");
    BOOST_TEST(put(line("a") + line("b", images(two))) == "0/1/1");
    BOOST_TEST(states() == "0!,1,0!,0!");
    for (const auto& bad : {other, pending, std::string(first_id)})
        BOOST_TEST(put(line("c") + line("a", images(bad))) ==
                   "2: Invalid field: images: must be READY images of the same organisation");
    BOOST_TEST(count("stock_items") == 2);
}

BOOST_AUTO_TEST_CASE(what_is_exported_imports_as_nothing_new) {
    const auto one = upload(1, "north-tractors"), two = upload(2, "north-tractors"), manual = upload(3, "north-tractors");
    connection.execute("UPDATE uploads SET content_type = 'application/pdf' WHERE id = ?", {*core::Uuid::parse(manual)});
    put(line("a \\\\ \\\" \\u2028 \xF0\x9F\x9A\x9A ",
             R"(,"description":"x\ny","attributes":{"é":"\u0001"},"year":1999,"condition":"NEW","images":[{"uploadId":")" + two +
                 R"("},{"uploadId":")" + one + R"("}],"documents":[{"uploadId":")" + manual + R"(","title":"Manual é"}])"));
    put(R"({"organisation":"hidden-vans","reference":"a","title":"Van","status":"PUBLISHED","price":1000000000000,"currency":"GBP","availability":"SOLD"})");
    const auto made = clock.now();
    const auto text = exported("stock");
    BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 2);
    clock.advance(std::chrono::hours(1));
    BOOST_TEST(put(text) == "0/0/2");
    connection.execute("DELETE FROM stock_items");
    connection.execute("UPDATE uploads SET attachments = 0");
    BOOST_TEST(put(text) == "2/0/0");
    const auto updated = [](core::Time time) { return R"("updatedAt":")" + core::to_rfc3339(time) + '"'; };
    auto again = text;
    for (std::size_t at; (at = again.find(updated(made))) != std::string::npos;)
        again.replace(at, updated(made).size(), updated(clock.now()));
    BOOST_TEST(again != text);
    BOOST_TEST(exported("stock") == again);
    BOOST_TEST(states() == "1,1,1");
}

BOOST_AUTO_TEST_CASE(many_lines_and_a_bad_last_one) {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += line("r-" + std::to_string(i), R"(,"attributes":{"n":")" + std::to_string(i) + "\"}");
    BOOST_TEST(put(text + R"({"organisation":"nobody","reference":"x","title":"x"})") ==
               "3001: Invalid field: organisation: there is no organisation nobody");
    BOOST_TEST(count("stock_items") == 0);
    BOOST_TEST(put(text) == "3000/0/0");
    BOOST_TEST(put(text) == "0/0/3000");
    BOOST_TEST(exported("stock").size() > text.size());
    BOOST_TEST(count("stock_items WHERE attributes = '{\"n\":\"2999\"}'") == 1);
}

BOOST_AUTO_TEST_CASE(two_imports_of_one_file_at_once_make_each_row_once) {
    std::string text;
    for (int i = 0; i < 500; ++i) text += line("r-" + std::to_string(i));
    std::ofstream(path) << text;
    const auto load = [&](std::string& result) {
        try {
            db::Connection own(database.config(), std::chrono::seconds(60));
            ctl::Lines lines(path);
            const auto imported = import_stock(own, lines, clock);
            result = std::to_string(imported.added + imported.unchanged);
        } catch (const std::exception& error) {
            result = error.what();
        }
    };
    std::string one, two;
    test::Thread other([&] { load(two); });
    load(one);
    other.join();
    BOOST_TEST(one == "500");
    BOOST_TEST(two == "500");
    BOOST_TEST(count("stock_items") == 500);
}

BOOST_AUTO_TEST_CASE(polls_wait_for_an_import) {
    // What writes holds the organisation: nobody can have polled past the times that it takes.
    put(line("a"));
    db::Connection poller(database.config());
    poller.execute("SET SESSION innodb_lock_wait_timeout = 1");
    bool waited = false;
    struct Watch final : core::Clock {
        explicit Watch(std::function<void()> f, core::Time t) : look(std::move(f)), time(t) {}
        core::Time now() const override {
            look();
            return time;
        }
        std::function<void()> look;
        core::Time time;
    };
    const Watch watch(
        [&] {
            if (!connection.in_transaction()) return;
            db::Transaction transaction(poller);
            try {
                poller.query("SELECT 1 FROM organisations WHERE slug = 'north-tractors' FOR UPDATE");
            } catch (const db::Error& error) {
                waited = error.is_retryable();
            }
        },
        clock.now() + std::chrono::hours(1));
    std::ofstream(path) << line("a", R"(,"make":"Fendt")");
    ctl::Lines lines(path);
    BOOST_TEST(import_stock(connection, lines, watch).changed == 1u);
    BOOST_TEST(waited);
}

BOOST_AUTO_TEST_SUITE_END()
