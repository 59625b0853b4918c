// The counts that writers keep of stock, and totals and pages by them.
#include "identity/organisations/organisations.h"
#include "repo/counted.h"
#include "resources/stock/lists.h"
#include "resources/stock/stock_item.h"
#include "support/put.h"
#include "support/rolled_back.h"
#include "support/threads.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

struct StockFixture : CountedFixture {
    std::vector<stock::StockItem> all;

    stock::StockItem item() {
        stock::StockItem item;
        item.id = Uuid::v7(now);
        item.organisation_id = organisations[std::size_t(below(10) == 0 ? 1 + below(2) : 0)];
        item.reference = std::to_string(made++);
        item.title = "Item";
        item.created_at = item.updated_at = any_time();
        change(item);
        return item;
    }
    void change(stock::StockItem& item) {
        item.status = pick({"DRAFT", "PUBLISHED", "PUBLISHED", "ARCHIVED"});
        item.availability = pick({"IN_STOCK", "SOLD"});
    }
    void fill(int count) {
        for (int i = 0; i < count; ++i) all.push_back(item());
        writes::write(connection, [&](writes::WriteTransaction& transaction) { test::put<stock::StockItem>(transaction, all); });
    }
    void check() {
        for (const auto& [query, where] : std::vector<std::pair<std::string, std::string>>{
                 {"", "1"},
                 {"status=DRAFT", "status = 'DRAFT'"},
                 {"status=DRAFT&status=PUBLISHED&status=DRAFT", "status IN ('DRAFT', 'PUBLISHED')"},
                 {"availability=SOLD", "availability = 'SOLD'"},
                 {"status=PUBLISHED&status=%20&availability=SOLD&availability=IN_STOCK", "status = 'PUBLISHED'"},
                 {"status=%20", "0"},
             })
            for (const auto& own : {std::vector{organisations[0]}, std::vector{organisations[1]}, organisations}) {
                std::string of = "organisation_id IN (NULL";
                for (const auto& id : own) of += ", " + one_of(id);
                check_list(
                    connection, selected(stock::member_list(), query, own),
                    select("SELECT id FROM stock_items WHERE " + of + ") AND " + where + " ORDER BY created_at DESC, id DESC"),
                    now);
            }
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(counts_of_stock)

BOOST_FIXTURE_TEST_CASE(stock_is_counted_at_every_write, StockFixture) {
    fill(150);
    check();
    for (int round = 0; round < 8; ++round) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            resource::Store<stock::StockItem> writer(transaction);
            const std::vector<stock::StockItem> rows(all.begin(), all.begin() + 10);
            std::vector<stock::StockItem> items = rows;
            for (auto& one : items) change(one);
            items.push_back(item());
            writer.write(items, rows);
            writer.remove(items[3], now);
            items.erase(items.begin() + 3);
            all.erase(all.begin(), all.begin() + 10);
            all.insert(all.end(), items.begin(), items.end());
        });
        rolled_back(connection, [&](writes::WriteTransaction& transaction) {
            const std::vector<stock::StockItem> undone{item(), item()};
            test::put<stock::StockItem>(transaction, undone);
        });
    }
    same_without([&] { check(); });
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(stock_far_on_is_found_without_walking_there, StockFixture) {
    fill(3500);
    check();
    const auto own = selected(stock::member_list(), "", {organisations[0]});
    const auto size = total(connection, own, now).rows;
    BOOST_TEST(rows_read([&] { read(connection, own, {0, 1}, now); }) < 60u);
    BOOST_TEST(rows_read([&] { read(connection, own, {size - 20, 20}, now); }) < 1200u);
}

BOOST_FIXTURE_TEST_CASE(writers_of_stock_that_race_leave_exact_counts, StockFixture) {
    fill(20);
    std::vector<std::vector<stock::StockItem>> changes(4);
    for (auto& mine : changes)
        for (int i = 0; i < 30; ++i) {
            auto one = i % 5 == 0 ? item() : all[std::size_t(below(20))];
            change(one);
            mine.push_back(one);
        }
    std::vector<test::Thread> threads;
    for (const auto& mine : changes)
        threads.emplace_back([&] {
            db::Connection own(database.config());
            for (const auto& one : mine)
                writes::write(own,
                              [&](writes::WriteTransaction& transaction) {
                                  resource::Store<stock::StockItem> writer(transaction);
                                  auto again = one;
                                  writer.write(std::span(&again, 1), writer.find(std::span(&one.id, 1)));
                              },
                              {.patience = 60s});
        });
    for (auto& thread : threads) thread.join();
    counts_are_right();
    check();
}

BOOST_AUTO_TEST_SUITE_END()
