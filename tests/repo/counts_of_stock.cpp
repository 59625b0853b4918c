// The counts that writers keep of stock, and totals and pages by them.
#include "repo/counted.h"
#include "repo/organisations.h"
#include "repo/stock.h"
#include "repo/stock_writer.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

struct StockFixture : CountedFixture {
    std::vector<domain::StockItem> all;

    domain::StockItem item() {
        domain::StockItem item;
        item.id = Uuid::v7(now);
        item.organisation_id = organisations[std::size_t(below(10) == 0 ? 1 + below(2) : 0)];
        item.reference = std::to_string(made++);
        item.title = "Item";
        item.created_at = item.updated_at = any_time();
        change(item);
        return item;
    }
    void change(domain::StockItem& item) {
        item.status = pick({"DRAFT", "PUBLISHED", "PUBLISHED", "ARCHIVED"});
        item.availability = pick({"IN_STOCK", "SOLD"});
    }
    void write(db::Connection& own, const std::vector<domain::StockItem>& items,
               const std::vector<domain::StockItem>& rows = {}) {
        repo::StockWriter writer(own);
        writer.write(items, rows, now);
        writer.finish();
    }
    void fill(int count) {
        for (int i = 0; i < count; ++i) all.push_back(item());
        db::in_transaction(connection, [&] { write(connection, all); });
    }
    void check() {
        repo::Stock stock(connection);
        const std::vector<std::pair<repo::StockFilter, std::string>> samples{
            {{}, "1"},
            {{{"DRAFT"}, {}, {}, {}, {}}, "status = 'DRAFT'"},
            {{{"DRAFT", "PUBLISHED", "DRAFT"}, {}, {}, {}, {}}, "status IN ('DRAFT', 'PUBLISHED')"},
            {{{}, {"SOLD"}, {}, {}, {}}, "availability = 'SOLD'"},
            {{{"PUBLISHED", ""}, {"SOLD", "IN_STOCK"}, {}, {}, {}}, "status = 'PUBLISHED'"},
            {{{""}, {}, {}, {}, {}}, "0"},
        };
        for (const auto& [filter, where] : samples)
            for (const auto& own : {std::vector{organisations[0]}, std::vector{organisations[1]}, organisations}) {
                std::string of = "organisation_id IN (NULL";
                for (const auto& id : own) of += ", " + one_of(id);
                const auto expected =
                    select("SELECT id FROM stock_items WHERE " + of + ") AND " + where + " ORDER BY created_at DESC, id DESC");
                const auto total = stock.list(own, filter, {0, 6}).total;
                BOOST_TEST(total == std::int64_t(expected.size()), where);
                for (const auto offset : offsets) {
                    if (offset < total) check_page(stock.list(own, filter, {offset, 6}, total).items, expected, offset, 6);
                    const auto with_total = stock.list(own, filter, {offset, 6});
                    BOOST_TEST(with_total.total == total);
                    if (offset < total) check_page(with_total.items, expected, offset, 6);
                }
            }
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(counts_of_stock)

BOOST_FIXTURE_TEST_CASE(stock_is_counted_at_every_write, StockFixture) {
    fill(150);
    check();
    for (int round = 0; round < 8; ++round) {
        db::in_transaction(connection, [&] {
            repo::StockWriter writer(connection);
            const std::vector<domain::StockItem> rows(all.begin(), all.begin() + 10);
            std::vector<domain::StockItem> items = rows;
            for (auto& one : items) change(one);
            items.push_back(item());
            writer.write(items, rows, now);
            writer.remove(items[3], now);
            writer.finish();
            items.erase(items.begin() + 3);
            all.erase(all.begin(), all.begin() + 10);
            all.insert(all.end(), items.begin(), items.end());
        });
        db::Transaction undone(connection);
        write(connection, {item(), item()});
    }
    same_without([&] { check(); });
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(stock_far_on_is_found_without_walking_there, StockFixture) {
    fill(3500);
    check();
    repo::Stock stock(connection);
    const auto own = std::span(organisations.data(), 1);
    const auto total = stock.list(own, {}, {0, 1}).total;
    BOOST_TEST(rows_read([&] { stock.list(own, {}, {0, 1}); }) < 60u);
    BOOST_TEST(rows_read([&] { stock.list(own, {}, {total - 20, 20}); }) < 1200u);
}

BOOST_FIXTURE_TEST_CASE(writers_of_stock_that_race_leave_exact_counts, StockFixture) {
    fill(20);
    std::vector<std::vector<domain::StockItem>> changes(4);
    for (auto& mine : changes)
        for (int i = 0; i < 30; ++i) {
            auto one = i % 5 == 0 ? item() : all[std::size_t(below(20))];
            change(one);
            mine.push_back(one);
        }
    std::vector<std::thread> threads;
    for (const auto& mine : changes)
        threads.emplace_back([&] {
            db::Connection own(database.config());
            for (const auto& one : mine)
                db::in_transaction(
                    own, [&] { write(own, {one}, repo::StockWriter(own).find(std::span(&one.id, 1), {})); }, 60s);
        });
    for (auto& thread : threads) thread.join();
    counts_are_right();
    check();
}

BOOST_AUTO_TEST_SUITE_END()
