// tradepostctl import: dry runs, all faults of a file at once, and the fields of its lines.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "repo/ctl_support.h"

using namespace tradepost;
using nlohmann::ordered_json;

namespace {

constexpr const char* first_id = "0190a000-0000-7000-8000-000000000001";
constexpr const char* second_id = "0190a000-0000-7000-8000-000000000002";

struct Fixture : test::CtlFixture {
    test::CtlResult run(const std::string& kind, const std::string& text, std::vector<std::string> options = {}) {
        std::ofstream(path, std::ios::binary) << text;
        std::vector<std::string> arguments{"import", kind, path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return ctl(arguments);
    }
    // What a dry run prints, without writing.
    std::string dry(const std::string& kind, const std::string& text) {
        const auto before = everything();
        const auto result = run(kind, text, {"--dry-run"});
        BOOST_TEST(result.error == "");
        BOOST_TEST(result.code == (result.out.find(" 0 with faults;") == std::string::npos ? 1 : 0));
        BOOST_TEST(everything() == before);
        return result.out;
    }
    std::string everything() {
        std::string all;
        for (const char* table : {"users", "memberships", "organisations", "jobs", "events", "posts", "stock_items",
                                  "stock_images", "uploads", "audit_log", "changes"})
            all += value(std::string("CONCAT(COUNT(*)) FROM ") + table) + " ";
        return all;
    }
    static std::string stock(const std::string& members) {
        return R"({"organisation":"north-tractors","title":"T",)" + members + "}\n";
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ctl_import, Fixture)

BOOST_AUTO_TEST_CASE(a_dry_run_names_each_fault_and_writes_nothing) {
    const auto text = stock(R"("reference":"a","price":4500,"currency":"GBP")") + "\n{\n" +
                      stock(R"("reference":"b","price":12.5,"currency":"GBP","year":"2015")") +
                      stock(R"("reference":"c","price":12995000,"currency":"GBP","colour":1)") +
                      stock(R"("reference":"d","price":12995000,"currency":"GBP")") + stock(R"("reference":"a")");
    const std::string faults =
        "line 3: Invalid JSON body: each line must be one JSON object (jq -c writes such lines)\n"
        "line 4: year: must be an integer, not a string: 2015 without quotes\n"
        "line 4: price: must be an integer, in minor units (pence, cents): 12.50 GBP are 1250\n"
        "line 5: colour: is unknown: see tradepostctl import fields\n"
        "line 7: reference: the reference of north-tractors a is that of line 1 too\n";
    BOOST_TEST(dry("stock", text) == faults + "price: 45.00 to 129,950.00 GBP\n" +
                                         "stock: 6 lines, 4 with faults; would be 2 added, 0 changed, 0 unchanged\n");

    const auto json = run("stock", text, {"--dry-run", "--json"});
    BOOST_TEST(json.code == 1);
    const auto document = ordered_json::parse(json.out);
    BOOST_TEST(document.at("failures").size() == 5u);
    BOOST_TEST(document.at("failures")[2].dump() ==
               R"({"line":4,"field":"price","reason":"must be an integer, in minor units (pence, cents): 12.50 GBP are 1250"})");
    BOOST_TEST(document.at("failures")[0].at("field").is_null());
    auto counts = document;
    counts.erase("failures");
    BOOST_TEST(
        counts.dump() ==
        R"({"added":2,"changed":0,"unchanged":0,"lines":6,"failed":4,"dryRun":true,"amounts":[{"field":"price","currency":"GBP","least":4500,"most":12995000,"text":"price: 45.00 to 129,950.00 GBP"}]})");

    // The import itself says the same at once, and one line of error.
    const auto real = run("stock", text);
    BOOST_TEST(real.code == 1);
    BOOST_TEST(real.out == faults);
    BOOST_TEST(real.error ==
               "tradepostctl: " + path +
                   ":3: Invalid JSON body: each line must be one JSON object (jq -c writes such lines) (the first of 5 "
                   "faults in 4 lines)\n");
    BOOST_TEST(count("stock_items") == 0);
    const auto one = run("stock", stock(R"("reference":"a","colour":1)"));
    BOOST_TEST(one.out == "");
    BOOST_TEST(one.error == "tradepostctl: " + path + ":1: Unknown field: colour\n");
    BOOST_TEST(
        run("stock", stock(R"("reference":"a","colour":1)"), {"--json"}).out ==
        R"({"added":0,"changed":0,"unchanged":0,"lines":0,"failed":1,"failures":[{"line":1,"field":"colour","reason":"is unknown: see tradepostctl import fields"}],"dryRun":false})"
        "\n");
}

BOOST_AUTO_TEST_CASE(the_first_hundred_faults_by_line) {
    std::string text, expected;
    for (int i = 1; i <= 450; ++i) text += i % 2 ? stock("\"year\":1") : stock("\"reference\":\"" + std::to_string(i) + "\"");
    // Found later than the faults of the lines behind it, as only the database shows it.
    text = R"({"organisation":"nobody","title":"T","reference":"x"})"
           "\n" +
           text;
    expected = "line 1: organisation: there is no organisation nobody\n";
    for (int i = 2; expected.size() < 100000 && std::count(expected.begin(), expected.end(), '\n') < 100; i += 2) {
        expected += "line " + std::to_string(i) + ": reference: is required\n";
        if (std::count(expected.begin(), expected.end(), '\n') < 100)
            expected += "line " + std::to_string(i) + ": year: must be an integer from 1000 to 9999\n";
    }
    BOOST_TEST(dry("stock", text) == expected + "351 more faults are not shown\n" +
                                         "stock: 451 lines, 226 with faults; would be 225 added, 0 changed, 0 unchanged\n");
}

BOOST_AUTO_TEST_CASE(amounts_and_numbers_of_the_wrong_type) {
    const auto reason = [&](const std::string& kind, const std::string& members) {
        const auto out = dry(
            kind, kind == "stock" ? stock(R"("reference":"a",)" + members)
                  : kind == "jobs"
                      ? R"({"organisation":"north-tractors","title":"T",)" + members + "}\n"
                      : R"({"organisation":"north-tractors","title":"T","startsAt":"2030-01-01T00:00:00Z",)" + members + "}\n");
        return out.substr(0, out.find('\n')).substr(std::string("line 1: ").size());
    };
    const std::string minor = "price: must be an integer, in minor units (pence, cents)";
    const struct {
        const char *kind, *members;
        std::string expected;
    } table[] = {
        {"stock", R"("price":"12.50","currency":"GBP")", minor + ": 12.50 GBP are 1250"},
        {"stock", R"("price":12.5,"currency":"EUR")", minor + ": 12.50 EUR are 1250"},
        {"stock", R"("price":1299.10,"currency":"EUR")", minor + ": 1,299.10 EUR are 129910"},
        {"stock", R"("price":"12.50")", minor + ": 12.50 are 1250"},
        {"stock", R"("price":"12.505","currency":"GBP")", minor},
        {"stock", R"("price":"12.505","currency":"KWD")", minor + ": 12.505 KWD are 12505"},
        {"stock", R"("price":"1250","currency":"GBP")", minor + ", and not a string: 1250 are 12.50 GBP"},
        {"stock", R"("price":"£12.50","currency":"GBP")", minor},
        {"stock", R"("price":{},"currency":"GBP")", minor},
        {"stock", R"("price":"1250","currency":"JPY")",
         "price: must be an integer, without quotes and decimals: JPY has no minor units"},
        {"stock", R"("price":-1,"currency":"GBP")", "price: must be an integer from 0 to 1000000000000"},
        {"stock", R"("year":"2015")", "year: must be an integer, not a string: 2015 without quotes"},
        {"stock", R"("year":"new")", "year: must be an integer"},
        {"stock", R"("year":2015.5)", "year: must be an integer"},
        {"jobs", R"("salaryMin":"28000")", "salaryMin: must be an integer, not a string: 28000 without quotes"},
        {"jobs", R"("salaryMax":28000.5)", "salaryMax: must be an integer, in whole units of the currency"},
        {"jobs", R"("salaryMin":true)", "salaryMin: must be an integer"},
        {"events", R"("isOnline":"true")", "isOnline: must be true or false, without quotes"},
        {"events", R"("isOnline":"yes")", "isOnline: must be true or false"},
    };
    for (const auto& row : table) BOOST_TEST(reason(row.kind, row.members) == row.expected, row.members);
}

BOOST_AUTO_TEST_CASE(amounts_that_would_be_imported) {
    const auto item = [&](const char* reference, const char* price) {
        return stock(std::string(R"("reference":")") + reference + R"(","price":)" + price);
    };
    BOOST_TEST(dry("stock", item("a", R"(5,"currency":"GBP")") + item("b", R"(123456,"currency":"JPY")") +
                                item("c", R"(1000,"currency":"GBP")") + item("d", "7") + stock(R"("reference":"e")")) ==
               "price: 7 to 7 minor units, without a currency\n"
               "price: 0.05 to 10.00 GBP\n"
               "price: 123,456 to 123,456 JPY\n"
               "stock: 5 lines, 0 with faults; would be 5 added, 0 changed, 0 unchanged\n");
    BOOST_TEST(
        dry("jobs",
            R"({"organisation":"north-tractors","title":"T","salaryMin":28000,"salaryMax":34000,"salaryCurrency":"GBP"})") ==
        "salaryMax: 34,000 to 34,000 GBP\n"
        "salaryMin: 28,000 to 28,000 GBP\n"
        "jobs: 1 line, 0 with faults; would be 1 added, 0 changed, 0 unchanged\n");
}

// A dry run says what the import then does: either the fault or the numbers.
BOOST_AUTO_TEST_CASE(a_dry_run_foretells_the_import) {
    const auto both = [&](const std::string& kind, const std::string& text) {
        const auto planned = ordered_json::parse(run(kind, text, {"--dry-run", "--json"}).out);
        const auto result = run(kind, text);
        const auto first = planned.at("failures").empty() ? "" : planned.at("failures")[0].at("reason").get<std::string>();
        if (!first.empty()) {
            BOOST_TEST(result.code == 1);
            BOOST_TEST(result.error.find(first) != std::string::npos, result.error);
            return std::to_string(planned.at("failures")[0].at("line").get<int>()) + ": " + first;
        }
        const auto numbers = std::to_string(planned.at("added").get<int>()) + " added, " +
                             std::to_string(planned.at("changed").get<int>()) + " changed, " +
                             std::to_string(planned.at("unchanged").get<int>()) + " unchanged\n";
        BOOST_TEST(result.out.starts_with(kind + ": " + numbers), result.out << result.error);
        return numbers.substr(0, numbers.size() - 1);
    };
    const std::string o = R"("organisation":"north-tractors",)";
    const auto id = [](const char* uuid) { return R"("id":")" + std::string(uuid) + "\","; };
    const struct {
        const char* kind;
        std::string text, expected;
    } table[] = {
        {"stock", "{" + o + id(first_id) + R"("reference":"a","title":"A"})", "1 added, 0 changed, 0 unchanged"},
        {"stock", "{" + o + id(first_id) + R"("reference":"a","title":"A"})", "0 added, 0 changed, 1 unchanged"},
        {"stock", "{" + o + R"("reference":"a","title":"B"})" + "\n{" + o + id(second_id) + R"("reference":"b","title":"B"})",
         "1 added, 1 changed, 0 unchanged"},
        {"stock", "{" + id(first_id) + R"("reference":"b","title":"B"})",
         std::string("1: the reference b belongs to the row ") + second_id + ": choose another one"},
        {"stock", "{" + id(first_id) + R"("reference":"n","title":"B"})" + "\n{" + o + R"("reference":"n","title":"B"})",
         "2: the reference n is that of line 1 too"},
        {"stock", "{" + o + R"("reference":"x","title":"B","images":[{"uploadId":")" + first_id + "\"}]}",
         "1: must be READY images of the same organisation"},
        {"stock", R"({"organisation":"south-marine","reference":"x","title":"B",)" + id(first_id) + R"("year":2000})",
         std::string("1: the id ") + first_id + " belongs to another organisation's row"},
        {"jobs", "{" + o + id(first_id) + R"("slug":"a","title":"A","reference":"r"})", "1 added, 0 changed, 0 unchanged"},
        {"jobs", "{" + o + R"("reference":"r","title":"B"})", "0 added, 1 changed, 0 unchanged"},
        {"events", "{" + o + R"("reference":"r","title":"A","startsAt":"2030-01-01T00:00:00Z"})",
         "1 added, 0 changed, 0 unchanged"},
        {"events", "{" + o + R"("reference":"r","title":"B","startsAt":"2030-01-01T00:00:00Z"})",
         "0 added, 1 changed, 0 unchanged"},
        {"posts", "{" + o + R"("reference":"r","title":"A"})", "1 added, 0 changed, 0 unchanged"},
        {"posts", "{" + o + R"("reference":"r","title":"B"})" + "\n{" + o + R"("reference":"r","title":"C"})",
         "2: the reference of north-tractors r is that of line 1 too"},
        {"posts", R"({"title":"A","reference":"r"})", "1: must not stand without an organisation"},
        {"jobs", R"({"slug":"a","title":"A","organisation":"south-marine"})",
         "1: the slug a belongs to another organisation's row"},
        {"jobs", R"({"slug":"new","title":"A"})", "1: is required"},
        {"posts", R"({"title":"A"})", "1 added, 0 changed, 0 unchanged"},
        {"posts",
         R"({"slug":"p","title":"A"})"
         "\n"
         R"({"slug":"p","title":"A"})",
         "2: the slug p is that of line 1 too"},
        {"organisations", R"({"slug":"north-tractors","name":"north-tractors","published":true})",
         "0 added, 0 changed, 1 unchanged"},
        {"users", "{" + id(first_id) + R"("email":"a@b.example","name":"A","organisations":[]})",
         "1 added, 0 changed, 0 unchanged"},
        {"users", R"({"email":"A@b.example","name":"A","organisations":[{"organisation":"north-tractors","role":"ADMIN"}]})",
         "0 added, 1 changed, 0 unchanged"},
        {"users", "{" + id(second_id) + R"("email":"a@B.example","name":"A"})",
         std::string("1: the email a@b.example belongs to the user ") + first_id + ": leave out the id to update that"},
        {"users",
         R"({"email":"c@b.example","name":"A"})"
         "\n"
         R"({"email":"C@b.example","name":"A"})",
         "2: the email c@b.example is that of line 1 too"},
        {"users", R"({"email":"c@b.example","name":"A","memberships":[{"organisation":"nobody","role":"ADMIN"}]})",
         "1: there is no organisation nobody"},
        {"users", R"({"email":"c@b.example","name":"A","passwordHash":"$2y$10$abc"})",
         "1: must be a whole bcrypt hash of 60 characters, such as $2y$10$ and 53 of ./A-Za-z0-9: it is cut off or damaged"},
    };
    for (const auto& row : table) BOOST_TEST_CONTEXT(row.text) {
            BOOST_TEST(both(row.kind, row.text) == row.expected);
        }
}

// An earlier batch gives a key away, and a later one takes it.
BOOST_AUTO_TEST_CASE(keys_that_change_hands) {
    const auto line = [](const std::string& kind, const char* id, int key) {
        const std::string name = std::to_string(key);
        const std::string of = kind == "users"   ? R"("email":")" + name + R"(@b.example","name":"N")"
                               : kind == "stock" ? R"("reference":")" + name + R"(","title":"T")"
                                                 : R"("slug":"s-)" + name + R"(","title":"T")";
        return "{" + (id ? R"("id":")" + std::string(id) + "\"," : "") + of +
               (kind == "stock" && !id ? R"(,"organisation":"north-tractors")" : "") + "}\n";
    };
    for (const std::string kind : {"users", "stock", "posts"}) {
        BOOST_TEST_CONTEXT(kind) {
            const auto with_organisation = [&](std::string text) {
                if (kind == "stock") text.insert(text.size() - 2, R"(,"organisation":"north-tractors")");
                return text;
            };
            BOOST_TEST(run(kind, with_organisation(line(kind, first_id, 1)) + with_organisation(line(kind, second_id, 2))).code ==
                       0);
            std::string text = line(kind, first_id, 3);
            for (int i = 0; i < 250; ++i) text += line(kind, nullptr, 1000 + i);
            text += line(kind, second_id, 1);
            const auto numbers = "250 added, 2 changed, 0 unchanged\n";
            BOOST_TEST(dry(kind, text) == kind + ": 252 lines, 0 with faults; would be " + numbers);
            BOOST_TEST(run(kind, text).out == kind + ": " + numbers);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_dry_run_waits_for_nobody) {
    const auto text = stock(R"("reference":"a")");
    BOOST_TEST(run("stock", text).code == 0);
    db::Connection other(database.config());
    db::Transaction writing(other);
    other.query("SELECT 1 FROM organisations FOR UPDATE");
    other.query("SELECT 1 FROM stock_items FOR UPDATE");
    connection.execute("SET GLOBAL innodb_lock_wait_timeout = 1");
    BOOST_TEST(dry("stock", text) == "stock: 1 line, 0 with faults; would be 0 added, 0 changed, 1 unchanged\n");
    connection.execute("SET GLOBAL innodb_lock_wait_timeout = DEFAULT");
}

BOOST_AUTO_TEST_CASE(each_kind_has_an_example_with_every_field) {
    for (const std::string kind : {"organisations", "users", "jobs", "events", "posts", "stock"}) {
        BOOST_TEST_CONTEXT(kind) {
            const auto example = bare({"import", "example", kind});
            BOOST_TEST(example.code == 0);
            BOOST_TEST(
                dry(kind, example.out).ends_with(kind + ": 1 line, 0 with faults; would be 1 added, 0 changed, 0 unchanged\n"));
            BOOST_TEST(run(kind, example.out).out.starts_with(kind + ": 1 added, 0 changed, 0 unchanged\n"));

            const auto line = ordered_json::parse(example.out);
            const auto fields = ordered_json::parse(bare({"import", "fields", kind, "--json"}).out);
            std::set<std::string> names;
            for (const auto& field : fields) {
                const std::string name = field.at("field");
                BOOST_TEST(names.insert(name).second, name);
                for (const char* part : {"rule", "default", "example"}) BOOST_TEST(field.at(part) != "", name << ": " << part);
                // Each example is one that the import takes, in the place of the line's own.
                auto other = line;
                if (name == "memberships") other.erase("organisations");
                if (name == "documents") continue;  // of an upload, which nobody has made
                other[name] = ordered_json::parse(field.at("example").get<std::string>());
                BOOST_TEST(dry(kind, other.dump()).find(" 0 with faults") != std::string::npos, name);
            }
            for (const auto& [name, value] : line.items()) BOOST_TEST(names.contains(name), name);
        }
    }
    fails(bare({"import", "fields", "boats"}), 2, "KIND: must be one of organisations, users, jobs, events, posts, stock");
    const auto plain = bare({"import", "fields", "stock"}).out;
    BOOST_TEST(plain.starts_with("field           rule"), plain);
    BOOST_TEST(plain.find("\nprice           an integer from 0 to 1000000000000: minor units (pence, cents) of currency") !=
                   std::string::npos,
               plain);
}

// What the table of fields says is what the import reads: no other name, and none that is missing.
BOOST_AUTO_TEST_CASE(a_line_has_no_other_fields) {
    for (const std::string kind : {"organisations", "users", "jobs", "events", "posts", "stock"}) {
        auto line = ordered_json::parse(bare({"import", "example", kind}).out);
        line["colour"] = 1;
        BOOST_TEST(dry(kind, line.dump()).find("line 1: colour: is unknown") != std::string::npos, kind);
    }
}

BOOST_AUTO_TEST_SUITE_END()
