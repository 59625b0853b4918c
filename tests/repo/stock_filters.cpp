// Filters and orders of stock against plain loops over the same data, and what their statements read.
#include <optional>

#include "core/text.h"
#include "http/error.h"
#include "repo/counted.h"
#include "resource/table.h"
#include "resources/stock/lists.h"
#include "resources/stock/stock_item.h"
#include "support/put.h"
#include "support/rolled_back.h"
#include "support/rounds.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

using stock::StockItem;
using Matches = std::function<bool(const StockItem&)>;

// A filter as a query, and in plain C++.
struct Filter {
    std::string query;
    Matches matches;
};

Filter folded(const std::string& name, std::optional<std::string> StockItem::*member, const std::vector<std::string>& values) {
    return {parameters(name, values).substr(1), [=](const StockItem& item) {
                return std::any_of(values.begin(), values.end(), [&](const auto& value) {
                    return item.*member && core::fold_key(*(item.*member)) == core::fold_key(value);
                });
            }};
}
Filter between(const std::string& name, std::optional<std::int64_t> StockItem::*member, std::optional<std::int64_t> least,
               std::optional<std::int64_t> most) {
    std::string query;
    if (least) query += name + "Min=" + std::to_string(*least);
    if (most) query += (query.empty() ? "" : "&") + name + "Max=" + std::to_string(*most);
    return {query, [=](const StockItem& item) {
                const auto value = item.*member;
                return value && (!least || *value >= *least) && (!most || *value <= *most);
            }};
}

struct Order {
    std::string query;
    std::function<std::optional<std::int64_t>(const StockItem&)> value;  // the greatest first, none last
};
std::int64_t ms(Time time) {
    return time.time_since_epoch().count();
}
const std::vector<Order>& orders() {
    const auto minus = [](std::optional<std::int64_t> value) { return value ? std::optional(-*value) : value; };
    static const std::vector<Order> all{
        {"", [](const StockItem& item) { return ms(item.created_at); }},
        {"sort=newest", [](const StockItem& item) { return ms(item.created_at); }},
        {"sort=updated", [](const StockItem& item) { return ms(item.updated_at); }},
        {"sort=-price", [](const StockItem& item) { return item.price; }},
        {"sort=price", [=](const StockItem& item) { return minus(item.price); }},
        {"sort=-year", [](const StockItem& item) { return item.year; }},
        {"sort=year", [=](const StockItem& item) { return minus(item.year); }},
    };
    return all;
}

struct Fixture : CountedFixture {
    std::vector<StockItem> all;
    std::vector<Uuid> pictures;  // one of each organisation

    Fixture() {
        for (const auto& id : organisations) {
            pictures.push_back(Uuid::v7(now));
            connection.execute(
                "INSERT INTO uploads (id, organisation_id, status, filename, content_type, content_hash, created_at) VALUES (?, "
                "?, 'READY', "
                "'a.png', 'image/png', REPEAT('a', 32), ?)",
                {pictures.back(), id, now});
        }
    }
    std::optional<std::string> maybe(std::initializer_list<const char*> texts) {
        return below(6) ? std::optional(pick(texts)) : std::nullopt;
    }
    StockItem item() {
        StockItem item;
        item.id = Uuid::v7(now);
        const auto owner = std::size_t(below(10) == 0 ? 1 + below(2) : 0);
        item.organisation_id = organisations[owner];
        item.reference = std::to_string(made++);
        item.title = "Item";
        item.created_at = any_time();
        change(item);
        return item;
    }
    void change(StockItem& item) {
        item.status = pick({"DRAFT", "PUBLISHED", "PUBLISHED", "ARCHIVED"});
        item.availability = pick({"IN_STOCK", "SOLD"});
        item.make = maybe({"Citroën", "CITROEN", "Ford", "Rare", "Ford"});
        if (item.make == "Rare" && below(20)) item.make = "Ford";
        item.model = maybe({"C3", "Transit", "transit", "Focus"});
        item.category = maybe({"Van", "Car", "—"});
        item.condition = maybe({"NEW", "USED", "USED"});
        item.price = below(8) ? std::optional<std::int64_t>(below(2) ? below(40) * 50000 : below(90'000'000)) : std::nullopt;
        item.year = below(7) ? std::optional<std::int64_t>(1990 + below(35)) : std::nullopt;
        item.updated_at = now - 1min * below(400000);
        item.images.clear();
        const auto at = std::find(organisations.begin(), organisations.end(), item.organisation_id) - organisations.begin();
        if (below(3) == 0) item.images.push_back({pictures[std::size_t(at)], "", {}});
    }
    void fill(int count) {
        for (int i = 0; i < count; ++i) all.push_back(item());
        writes::write(connection, [&](writes::WriteTransaction& transaction) { test::put<stock::StockItem>(transaction, all); });
        connection.query("ANALYZE TABLE stock_items");
    }

    std::vector<Filter> filters() {
        using S = StockItem;
        std::vector<Filter> some;
        const auto chance = [&] { return below(4) == 0; };
        if (chance()) some.push_back({"status=published", [](const S& item) { return item.status == "PUBLISHED"; }});
        if (chance()) some.push_back({"availability=SOLD", [](const S& item) { return item.availability == "SOLD"; }});
        if (chance())
            some.push_back(below(3)        ? folded("make", &S::make, {"ford"})
                           : below(2) == 0 ? folded("make", &S::make, {"rare", "nothing"})
                                           : folded("make", &S::make, {"citroen", "FORD", "Citroën"}));
        if (chance()) some.push_back(folded("model", &S::model, {"TRANSIT"}));
        if (chance())
            some.push_back(below(2) ? folded("category", &S::category, {"van", "—"}) : folded("category", &S::category, {"cAr"}));
        if (chance()) some.push_back({"condition=used", [](const S& item) { return item.condition == "USED"; }});
        if (chance()) {
            const bool has = below(2);
            some.push_back(
                {has ? "hasImages=true" : "hasImages=false", [=](const S& item) { return item.images.empty() != has; }});
        }
        const auto bounds = [&](const std::string& name, std::optional<std::int64_t> S::*member, std::int64_t low,
                                std::int64_t range) {
            const auto least = low + std::int64_t(random() % std::uint64_t(range)),
                       most = least + std::int64_t(random() % std::uint64_t(range));
            const int kind = below(4);
            some.push_back(between(name, member, kind != 0 ? std::optional(least) : std::nullopt,
                                   kind != 1 ? std::optional(kind == 2 ? least : most) : std::nullopt));
        };
        if (chance()) bounds("price", &S::price, 0, 2'000'000);
        if (chance()) bounds("year", &S::year, 1990, 35);
        return some;
    }
    void check(const std::vector<Filter>& some, const Order& order, const std::vector<Uuid>& own,
               const std::vector<std::int64_t>& offsets = usual_offsets) {
        std::vector<std::tuple<bool, std::int64_t, Uuid>> found;
        for (const auto& item : all) {
            if (std::find(own.begin(), own.end(), item.organisation_id) == own.end()) continue;
            if (!std::all_of(some.begin(), some.end(), [&](const auto& filter) { return filter.matches(item); })) continue;
            const auto value = order.value(item);
            found.emplace_back(value.has_value(), value.value_or(0), item.id);
        }
        std::sort(found.rbegin(), found.rend());
        std::vector<Uuid> expected;
        for (const auto& [has_value, value, id] : found) expected.push_back(id);
        std::string query = order.query;
        for (const auto& filter : some) query += "&" + filter.query;
        BOOST_TEST_CONTEXT(query << " of " << own.size())
        check_list(connection, selected(stock::member_list(), query, own), expected, now, offsets);
    }
    void check_some(int rounds) {
        for (int round = 0; round < rounds; ++round) {
            auto own = organisations;
            own.resize(std::size_t(below(4) == 0 ? 3 : 1));
            check(filters(), orders()[std::size_t(below(7))], own, {0, 7, below(400), below(3000)});
        }
    }
    std::uint64_t reads(const std::string& query, db::Slice slice) {
        const auto selection = selected(stock::member_list(), query, {organisations[0]});
        return rows_read([&] { read(connection, selection, slice, now); });
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(stock_filters, Fixture)

BOOST_AUTO_TEST_CASE(pages_and_totals_are_what_a_plain_loop_finds) {
    fill(3500);
    for (const auto& order : orders()) {
        check({}, order, {organisations[0]});
        check({}, order, organisations);
    }
    check_some(rounds(250));
    for (int round = 0; round < 4; ++round) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            resource::Store<stock::StockItem> writer(transaction);
            const std::vector<StockItem> rows(all.begin(), all.begin() + 30);
            auto items = rows;
            for (auto& one : items) change(one);
            writer.write(items, rows);
            writer.remove(items[3], now);
            items.erase(items.begin() + 3);
            all.erase(all.begin(), all.begin() + 30);
            all.insert(all.end(), items.begin(), items.end());
        });
        rolled_back(connection, [&](writes::WriteTransaction& transaction) {
            const std::vector<StockItem> undone{item(), item()};
            test::put<stock::StockItem>(transaction, undone);
        });
        check_some(rounds(20));
    }
    counts_are_right();
}

// What a filter alone, and beside a state, is counted by, and where an order's pages far on begin.
BOOST_AUTO_TEST_CASE(totals_and_pages_far_on_are_not_counted_out) {
    fill(6000);
    const auto total_reads = [&](const std::string& query) {
        const auto selection = selected(stock::member_list(), query, {organisations[0]});
        return rows_read([&] { total(connection, selection, now); });
    };
    for (const std::string filter :
         {"make=ford", "model=transit", "category=car", "condition=USED", "hasImages=true", "hasImages=false", "priceMin=500",
          "priceMax=900000", "priceMin=500&priceMax=900000", "yearMin=2001&yearMax=2010"})
        for (const std::string state : {"", "&status=PUBLISHED", "&availability=SOLD"})
            BOOST_TEST(total_reads(filter + state) < 500u, filter + state);
    for (const auto& order : orders()) {
        BOOST_TEST(reads(order.query, {0, 20}) < 200u, order.query);
        BOOST_TEST(reads(order.query, {2500, 20}) < 1500u, order.query);
        BOOST_TEST(reads(order.query + "&status=PUBLISHED", {0, 20}) < 500u, order.query);
        // Few are sorted: as many as there are, whatever the order.
        const auto rare = reads(order.query + "&make=rare", {0, 20});
        BOOST_TEST(rare < 500u, order.query);
        BOOST_TEST(reads(order.query + "&priceMin=89950000", {0, 20}) < 500u, order.query);
    }
    // The bound of a price is one in the order of its negative, too.
    BOOST_TEST(reads("sort=price&priceMin=1000000", {0, 20}) < 500u);
    BOOST_TEST(reads("sort=-price&priceMax=1000000", {0, 20}) < 500u);
}

// After an upgrade the columns are empty in rows of before.
BOOST_AUTO_TEST_CASE(without_its_columns_a_filter_is_refused) {
    fill(60);
    const auto find = [&](const std::string& query) {
        return read(connection, stock::member_list(), query, now, {organisations[0]}).total.rows;
    };
    const std::vector<std::string> derived{"make=ford",    "make=ford&priceMin=1",   "model=Focus",
                                           "category=van", "hasImages=true",         "sort=price",
                                           "sort=year",    "sort=year&status=DRAFT", "make=nothing"};
    const auto drafts = find("status=DRAFT");
    connection.execute("UPDATE list_counts SET n = 1 WHERE list = 'stock_items' AND measure = 255");
    connection.execute(
        "UPDATE stock_items SET make_key = NULL, model_key = NULL, category_key = NULL, has_images = 0, price_up = NULL, "
        "year_up = NULL");
    for (const auto& query : derived)
        BOOST_CHECK_EXCEPTION(find(query), http::ApiError, [](const auto& error) { return error.status == 503; });
    BOOST_TEST(find("status=DRAFT") == drafts);
    BOOST_TEST(find("sort=-price&status=DRAFT") == drafts);
    BOOST_TEST(find("sort=updated&condition=USED&priceMin=0") > 0);

    BOOST_TEST(resource::rewrite<stock::StockItem>(connection) == all.size());
    BOOST_TEST(recount_all(connection) == 0u);
    for (const auto& query : derived) BOOST_TEST((find(query) > 0) == (query != "make=nothing"), query);
    check_some(40);
}

BOOST_AUTO_TEST_CASE(every_order_has_a_key_of_its_own) {
    std::set<std::string> keys;
    for (const auto& order : orders())
        for (const std::string filter : {"", "make=a", "hasImages=true", "hasImages=false", "priceMin=1", "priceMax=1"})
            keys.insert(selected(stock::member_list(), order.query + "&" + filter).key());
    BOOST_TEST(keys.size() == 6 * (orders().size() - 1));  // newest is the list's
}

BOOST_AUTO_TEST_CASE(an_order_that_the_list_does_not_have_is_refused) {
    for (const char* query : {"sort=relevance", "sort=Price", "sort=--price", "sort=salary", "sort=price&sort=price",
                              "sort=price,year", "sort=+price", "updatedSince=2026-01-01T00:00:00Z&sort=price", "hasImages=1",
                              "hasImages=TRUE", "hasImages=true&hasImages=true", "priceMin=2&priceMax=1",
                              "yearMin=2001&yearMax=2000", "priceMin=1&priceMin=1", "yearMax=-1"})
        BOOST_CHECK_EXCEPTION(selected(stock::member_list(), query), http::ApiError,
                              [](const auto& error) { return error.status == 400; });
    for (const char* query : {"sort=", "sort=newest&updatedSince=2026-01-01T00:00:00Z"})
        BOOST_TEST(!selected(stock::member_list(), query).sort);
}

BOOST_AUTO_TEST_SUITE_END()
