// Lists of stock against plain loops over the same data, and what their statements read.
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "core/text.h"
#include "repo/import_support.h"
#include "resources/stock/attachments.h"
#include "resources/stock/lists.h"
#include "resources/stock/stock_item.h"
#include "support/list_reader.h"
#include "support/put.h"

using namespace tradepost;
using core::Uuid;
using stock::StockItem;

namespace {

using Texts = std::vector<std::string>;

struct Asked {
    Texts statuses = {}, availabilities = {}, references = {};
    std::optional<core::Time> updated_since = {}, updated_until = {};

    lists::Selection selection(const std::vector<Uuid>& own) const {
        auto query = test::parameters("status", statuses) + test::parameters("availability", availabilities) +
                     test::parameters("reference", references);
        auto selection = test::selected(stock::member_list(), query, own);
        selection.updated_since = updated_since;
        selection.updated_until = updated_until;
        return selection;
    }
};

struct Fixture : test::ImportFixture {
    std::mt19937 random{7};
    std::vector<Uuid> organisations;
    std::vector<StockItem> all;

    Fixture() {
        for (const char* slug : {"north-tractors", "south-marine", "hidden-vans"})
            organisations.push_back(identity::Organisations(connection).find_by_slug(slug).value().id);
    }
    int below(int n) { return int(random() % unsigned(n)); }
    core::Time around(int days) { return clock.now() - std::chrono::hours(below(days * 24)); }

    StockItem item(const Uuid& organisation, const std::string& reference) {
        StockItem item;
        item.id = Uuid::v7(clock.now());
        item.organisation_id = organisation;
        item.reference = reference;
        item.title = "Item " + reference;
        item.created_at = item.updated_at = clock.now();
        return item;
    }
    void fill(int count, int organisations_used = 3) {
        static const char* statuses[] = {"DRAFT", "PUBLISHED", "ARCHIVED"};
        static const char* availabilities[] = {"DUE_IN", "IN_STOCK", "RESERVED", "SOLD"};
        for (int i = 0; i < count; ++i) {
            auto one = item(organisations[std::size_t(below(organisations_used))], "r-" + std::to_string(i));
            one.status = statuses[below(3)];
            one.availability = availabilities[below(4)];
            one.attributes["n"] = std::to_string(i);
            one.created_at = around(20);  // several share one
            one.updated_at = one.created_at + std::chrono::hours(below(20 * 24));
            all.push_back(std::move(one));
        }
        writes::write(connection, [&](writes::WriteTransaction& transaction) { test::put<stock::StockItem>(transaction, all); });
        connection.query("ANALYZE TABLE stock_items");
    }
    static bool in(const std::vector<std::string>& wanted, const std::string& text) {
        return wanted.empty() || std::find(wanted.begin(), wanted.end(), text) != wanted.end();
    }
    std::vector<StockItem> expected(const std::vector<Uuid>& own, const Asked& f) const {
        std::vector<StockItem> found;
        for (const auto& i : all) {
            if (std::find(own.begin(), own.end(), i.organisation_id) == own.end()) continue;
            if (!in(f.statuses, i.status) || !in(f.availabilities, i.availability) || !in(f.references, i.reference)) continue;
            if ((f.updated_since && i.updated_at < *f.updated_since) || (f.updated_until && i.updated_at > *f.updated_until))
                continue;
            found.push_back(i);
        }
        std::sort(found.begin(), found.end(),
                  [](const auto& a, const auto& b) { return std::tie(a.created_at, a.id) > std::tie(b.created_at, b.id); });
        return found;
    }
    std::uint64_t page_reads(const std::vector<Uuid>& own, const Asked& asked, db::Slice slice, std::size_t shown = 20) {
        const auto selection = asked.selection(own);
        const auto total = test::total(connection, selection, clock.now());
        return test::rows_read(connection, [&] {
            BOOST_TEST(test::ids(test::read(connection, selection, slice, clock.now(), &total)).size() == shown);
        });
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(stock_lists, Fixture)

BOOST_AUTO_TEST_CASE(lists_are_what_a_plain_loop_finds) {
    fill(400);
    for (int round = 0; round < 200; ++round) {
        std::vector<Uuid> own = organisations;
        own.resize(std::size_t(below(4)));
        Asked filter;
        if (below(3) == 0) filter.statuses = {"PUBLISHED"};
        if (below(4) == 0) filter.statuses = {"DRAFT", "ARCHIVED", "GONE"};
        if (below(3) == 0) filter.availabilities = {"SOLD", "RESERVED"};
        if (below(5) == 0) filter.references = {"r-7", "r-70", "R-7", "r-7 ", "r-399"};
        if (below(3) == 0) filter.updated_since = around(20);
        if (filter.updated_since && below(2)) filter.updated_until = *filter.updated_since + std::chrono::hours(below(300));
        const auto wanted = expected(own, filter);
        const db::Slice slice{below(4) * 13, 1 + below(40)};
        const auto first = std::min<std::size_t>(std::size_t(slice.offset), wanted.size());
        const auto last = std::min<std::size_t>(std::size_t(slice.offset + slice.limit), wanted.size());
        const auto selection = filter.selection(own);
        auto page = test::read(connection, selection, slice, clock.now());
        BOOST_TEST(page.total.rows == std::int64_t(wanted.size()));
        BOOST_CHECK(test::ids(test::read(connection, selection, slice, clock.now(), &page.total)) == test::ids(page));
        const auto items = stock::read_items(page.rows);
        BOOST_REQUIRE(items.size() == last - first);
        for (std::size_t i = 0; i < items.size(); ++i) {
            BOOST_CHECK(items[i].id == wanted[first + i].id);
            BOOST_TEST(fields::same_fields(stock::StockItem::described().fields, items[i], wanted[first + i]));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_page_reads_no_more_than_it_shows) {
    fill(6000);
    const std::vector<Uuid> one{organisations[0]};
    // 20 entries of the index, of the derived table twice, 20 items, and where images would begin.
    const std::uint64_t bound = 5 * 20 + 30;
    BOOST_TEST(page_reads(one, {}, {0, 20}) <= bound);
    BOOST_TEST(page_reads(one, {}, {1000, 20}) <= 1000 + bound);
    // Several organisations: so many of each.
    BOOST_TEST(page_reads(organisations, {}, {0, 20}) <= 3 * bound);
    BOOST_TEST(page_reads(organisations, {}, {400, 20}) <= 3 * (3 * 420 + bound));
    Asked sold;
    sold.statuses = {"PUBLISHED"};
    sold.availabilities = {"SOLD"};
    BOOST_TEST(page_reads(one, sold, {0, 20}) <= 12 * 30 + bound);
    Asked named;
    for (const auto& item : all)
        if (item.organisation_id == organisations[0] && named.references.size() < 3) named.references.push_back(item.reference);
    named.references.push_back("none");
    BOOST_TEST(page_reads(one, named, {0, 20}, 3) <= 40u);
}

BOOST_AUTO_TEST_CASE(a_count_reads_the_index_only_and_what_it_counts) {
    fill(6000);
    const std::vector<Uuid> one{organisations[0]};
    const auto size = expected(one, {}).size();
    const auto total_reads = [&](const std::vector<Uuid>& own, const Asked& filter) {
        return test::rows_read(connection, [&] { test::total(connection, filter.selection(own), clock.now()); });
    };
    BOOST_TEST(total_reads(one, {}) <= size + 5);
    BOOST_TEST(total_reads(organisations, {}) <= all.size() + 15);
    Asked named;
    named.references = {"r-1", "r-2", "none"};
    BOOST_TEST(total_reads(organisations, named) <= 20u);
    Asked late;
    late.updated_since = clock.now() + std::chrono::hours(24 * 15);
    const auto changed = expected(organisations, late).size();
    BOOST_TEST(changed < 1500u);
    BOOST_TEST(total_reads(organisations, late) <= changed + 15);
    // MariaDB 11.8 reads what it sorts twice.
    BOOST_TEST(page_reads(organisations, late, {0, 20}) <= 2 * changed + 3 * 20 * 5 + 60);
}

BOOST_AUTO_TEST_CASE(an_item_is_found_by_its_id) {
    fill(10);
    const auto find = [&](const core::Uuid& id) { return resource::find_named<stock::StockItem>(connection, id.to_string()); };
    for (const auto& item : all) {
        const auto seen = find(item.id);
        BOOST_REQUIRE(seen);
        BOOST_TEST(resource::same(*seen, item));
    }
    BOOST_TEST(test::rows_read(connection, [&] { find(all[0].id); }) <= 6u);
    BOOST_TEST(!find(organisations[0]));
}

BOOST_AUTO_TEST_CASE(references_compare_byte_by_byte) {
    for (const char* reference : {"a", "A", "a ", " a", "\xC3\xA9", "e\xCC\x81", "a\\", "a'"})
        all.push_back(item(organisations[0], reference));
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        resource::Store<stock::StockItem> writer(transaction);
        writer.write(all);
        for (const auto& one : all) {
            const auto found = writer.find_by_reference(organisations[0], std::span(&one.reference, 1));
            BOOST_REQUIRE(found.size() == 1);
            BOOST_TEST((found[0].id == one.id));
            BOOST_TEST(writer.find_by_reference(organisations[1], std::span(&one.reference, 1)).empty());
            BOOST_TEST(writer.reference_exists(organisations[0], one.reference));
            const Asked named{.references = {one.reference}};
            // The filter takes a reference for the one without spaces, too.
            const auto forms = std::int64_t(core::reference_forms(one.reference).size());
            BOOST_TEST(test::total(connection, named.selection(organisations), clock.now()).rows == forms);
        }
        BOOST_TEST(!writer.reference_exists(organisations[0], "a  "));
    });
}

BOOST_AUTO_TEST_CASE(a_reference_that_is_taken_never_overwrites) {
    auto one = item(organisations[0], "a"), other = item(organisations[0], "a");
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        resource::Store<stock::StockItem> writer(transaction);
        writer.write(std::span(&one, 1));
        BOOST_CHECK_THROW(writer.write(std::span(&other, 1)), resource::ReferenceTaken);
        other.reference = "b";
        writer.write(std::span(&other, 1));
        const auto row = other;
        other.reference = "a";
        BOOST_CHECK_THROW(writer.write(std::span(&other, 1), std::span(&row, 1)), resource::ReferenceTaken);
    });
    BOOST_TEST(value("GROUP_CONCAT(reference ORDER BY id) FROM stock_items") == "a,b");
}

BOOST_AUTO_TEST_SUITE_END()
