// Facets against a count of the rows one by one: from kept counts, from the rows, and of searches.
#include "lists/facets.h"

#include "counts/compact.h"
#include "http/error.h"
#include "json/texts.h"
#include "lists/search_engine.h"
#include "repo/counted_jobs.h"
#include "resources/accounts/publication.h"
#include "resources/events/event.h"
#include "resources/events/lists.h"
#include "resources/posts/lists.h"
#include "resources/posts/post.h"
#include "resources/stock/lists.h"
#include "resources/stock/stock_item.h"
#include "search/engines/mysql_search.h"
#include "support/put.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

const std::string of_published = "organisation_id IN (SELECT id FROM organisations WHERE published = 1)";

struct FacetsFixture : CountedJobs {
    counts::Texts texts;

    lists::Facets facets(const lists::Selection& selection, const lists::Fields& fields, Time at) {
        if (selection.is_empty()) return {std::vector<std::map<std::string, std::int64_t>>(fields.size()), {}};
        if (!selection.search) return lists::facets_of(connection, texts, selection, fields, at, 30s);
        return search::MysqlSearch(connection, 30s).facets(selection, fields, at);
    }

    // What the rows of `where` have in a column: texts, or JSON arrays of them.
    std::string counted_one_by_one(const std::string& name, const std::string& column, const std::string& from_where,
                                   bool several) {
        std::map<std::string, std::map<std::string, int>> spellings;
        for (const auto& row : connection.query("SELECT " + column + " " + from_where)) {
            if (row.is_null(0)) continue;
            std::set<std::string> seen;
            for (const auto& text : several ? json::parse_texts(row.text(0)) : std::vector{row.text(0)})
                if (seen.insert(core::fold(text)).second) ++spellings[core::fold(text)][text];
        }
        std::vector<std::pair<int, std::string>> values;
        for (const auto& [key, each] : spellings) {
            int sum = 0, most = 0;
            std::string shown;
            for (const auto& [text, n] : each) {
                sum += n;
                if (n > most) most = n, shown = text;
            }
            values.emplace_back(-sum, shown);
        }
        std::sort(values.begin(), values.end());
        std::string json = "\"" + name + "\":[";
        for (const auto& [n, text] : values)
            json += (json.back() == '[' ? "" : ",") + ("{\"value\":\"" + text + "\",\"count\":" + std::to_string(-n) + "}");
        return json + "]";
    }

    // All facets of the list at once, and each by itself.
    void check_facets(const lists::List& list, const std::string& query, const std::string& where, Time at,
                      const std::vector<Uuid>& owners = {}) {
        const auto selection = selected(list, query, owners);
        const auto from_where = "FROM " + std::string(list.table) + " WHERE " + where;
        const auto total = connection.query("SELECT COUNT(*) " + from_where).at(0).integer(0);
        lists::Fields all;
        std::string all_json;
        for (const auto& facet : list.counts.facets) {
            const auto json = counted_one_by_one(std::string(facet.name), std::string(facet.column), from_where,
                                                 facet.kind == counts::Kind::texts);
            all.push_back(&facet);
            all_json += (all_json.empty() ? "" : ",") + json;
            BOOST_TEST_CONTEXT(list.collection << " " << query)
            BOOST_TEST(lists::to_json({&facet}, facets(selection, {&facet}, at)) == wrapped(json, total));
        }
        BOOST_TEST_CONTEXT(list.collection << " " << query)
        BOOST_TEST(lists::to_json(all, facets(selection, all, at)) == wrapped(all_json, total));
    }
    static std::string wrapped(const std::string& json, std::int64_t total) {
        return "{\"data\":{\"facets\":{" + json + "},\"total\":" + std::to_string(total) + "}}";
    }

    void check_jobs(Time at) {
        const auto public_rows = "status = 'PUBLISHED' AND (expires_at IS NULL OR expires_at > '" + core::to_sql(at) + "') AND " +
                                 of_published + " AND ";
        auto all = samples(organisations[0]);
        all.push_back({"q=job&category=sales", "category IN ('Sales', 'sáles')"});
        for (const auto& sample : all) check_facets(jobs::public_list(), sample.query, public_rows + sample.where, at);
        const auto own = "organisation_id = " + one_of(organisations[1]);
        for (const auto& [query, where] : std::vector<std::pair<std::string, std::string>>{
                 {"", "1"}, {"status=DRAFT", "status = 'DRAFT'"}, {"city=london", "city = 'London'"}, {"q=job", "1"}})
            check_facets(jobs::member_list(), query, own + " AND " + where, at, {organisations[1]});
    }

    std::vector<jobs::Job> some_jobs(int count) {
        std::vector<jobs::Job> all;
        for (int i = 0; i < count; ++i) all.push_back(job());
        return all;
    }

    posts::Post post() {
        posts::Post post;
        post.id = Uuid::v7(now);
        post.slug = "post-" + std::to_string(made++);
        post.title = "Post";
        post.created_at = post.updated_at = now;
        if (below(2)) post.organisation = identity::OrganisationSummary{organisations[std::size_t(below(3))], "", "", {}};
        for (const char* tag : {"News", "NEWS", "Café", "cafe", "—"})
            if (below(2)) post.tags.push_back(tag);
        if (below(6)) post.published_at = now + 1min * (below(900) - 700);
        return post;
    }
    events::Event event() {
        events::Event event;
        event.id = Uuid::v7(now);
        event.slug = "event-" + std::to_string(made++);
        event.organisation.id = organisations[std::size_t(below(3))];
        event.title = "Event";
        event.created_at = event.updated_at = now;
        if (below(5)) event.category = pick({"Fair", "FAIR", "Show"});
        if (below(5)) event.city = pick({"Leeds", "York"});
        event.starts_at = now + 1min * (below(60000) - 50000);
        if (below(9)) event.published_at = now + 1min * (below(900) - 700);
        return event;
    }
    stock::StockItem item() {
        stock::StockItem item;
        item.id = Uuid::v7(now);
        item.organisation_id = organisations[std::size_t(below(3))];
        item.reference = std::to_string(made++);
        item.title = "Item";
        item.created_at = item.updated_at = now;
        item.status = pick({"DRAFT", "PUBLISHED", "ARCHIVED"});
        item.availability = pick({"IN_STOCK", "SOLD"});
        if (below(4)) item.category = pick({"Vans", "VANS", "Cars"});
        if (below(4)) item.make = pick({"Škoda", "skoda", "Volvo"});
        if (below(4)) item.model = pick({"Fabia", "V60"});
        if (below(4)) item.condition = pick({"NEW", "USED"});
        if (below(4)) item.price = 100 * below(9), item.currency = "GBP";
        return item;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(facets, FacetsFixture)

BOOST_AUTO_TEST_CASE(facets_of_jobs_follow_every_write) {
    auto all = some_jobs(150);
    CountedJobs::write(all);
    check_jobs(now);
    for (int round = 0; round < 3; ++round) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            std::vector<jobs::Job> batch(all.begin() + round * 9, all.begin() + round * 9 + 9);
            for (auto& one : batch) change(one);
            batch.push_back(job());
            test::put<jobs::Job>(transaction, batch);
            test::drop<jobs::Job>(transaction, batch[1].id);
        });
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            accounts::set_published(transaction, organisations[std::size_t(round % 2)], round > 0, now);
        });
        check_jobs(now);
    }
    for (const auto later : {10min, 60min, 100min}) check_jobs(now + later);  // more have expired
    BOOST_TEST(jobs::unlist_expired_jobs(connection, now + 60min, 200) > 0u);
    same_without([&] { check_jobs(now + 60min); });
    counts::compact(connection);
    check_jobs(now + 60min);
    counts_are_right();
}

BOOST_AUTO_TEST_CASE(facets_of_posts_and_events) {
    std::vector<posts::Post> posts;
    std::vector<events::Event> events;
    for (int i = 0; i < 150; ++i) posts.push_back(post()), events.push_back(event());
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        test::put<posts::Post>(transaction, posts);
        test::put<events::Event>(transaction, events);
    });
    const auto check = [&](Time at) {
        const auto published = "published_at <= '" + core::to_sql(at) + "' AND ";
        for (const auto& [query, where] : std::vector<std::pair<std::string, std::string>>{
                 {"", "1"},
                 {"tag=news", "tags LIKE '%news%' COLLATE utf8mb4_general_ci"},
                 {"tag=news&tag=cafe",
                  "(tags LIKE '%news%' COLLATE utf8mb4_general_ci OR tags LIKE '%caf%' COLLATE utf8mb4_general_ci)"},
                 {"q=post&tag=news", "tags LIKE '%news%' COLLATE utf8mb4_general_ci"},
                 {"tag=none", "0"}})
            check_facets(posts::public_list(), query,
                         published + "(organisation_id IS NULL OR " + of_published + ") AND " + where, at);
        const auto own = "organisation_id = " + one_of(organisations[1]);
        for (const auto& [query, where] :
             std::vector<std::pair<std::string, std::string>>{{"", "1"},
                                                              {"published=false", "published_at IS NULL"},
                                                              {"tag=news", "tags LIKE '%news%' COLLATE utf8mb4_general_ci"},
                                                              {"q=post&published=true", "published_at IS NOT NULL"}})
            check_facets(posts::member_list(), query, own + " AND " + where, at, {organisations[1]});
        for (const auto& [query, where] : std::vector<std::pair<std::string, std::string>>{
                 {"", "1"}, {"published=false&city=leeds", "published_at IS NULL AND city = 'Leeds'"}, {"q=event", "1"}})
            check_facets(events::member_list(), query, own + " AND " + where, at, {organisations[1]});
        const auto soon = now + 24h;
        for (const auto& [query, where] : std::vector<std::pair<std::string, std::string>>{
                 {"", "1"},
                 {"category=fair", "category IN ('Fair', 'FAIR')"},
                 {"city=leeds&city=york", "city IS NOT NULL"},
                 {"city=leeds&category=show", "city = 'Leeds' AND category = 'Show'"},
                 {"from=" + core::to_rfc3339(soon), "starts_at >= '" + core::to_sql(soon) + "'"},
                 {"q=event", "1"}})
            check_facets(events::public_list(), query, published + of_published + " AND " + where, at);
    };
    check(now);
    check(now + 100min);
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        accounts::set_published(transaction, organisations[0], false, now);
    });
    same_without([&] { check(now); });
    counts_are_right();
}

BOOST_AUTO_TEST_CASE(facets_of_stock) {
    std::vector<stock::StockItem> all;
    for (int i = 0; i < 150; ++i) all.push_back(item());
    writes::write(connection, [&](writes::WriteTransaction& transaction) { test::put<stock::StockItem>(transaction, all); });
    const auto check = [&] {
        for (const auto& own : {std::vector{organisations[0]}, organisations}) {
            std::string of = "organisation_id IN (NULL";
            for (const auto& id : own) of += ", " + one_of(id);
            for (const auto& [query, where] : std::vector<std::pair<std::string, std::string>>{
                     {"", "1"},
                     {"make=skoda", "make IN ('Škoda', 'skoda')"},
                     {"status=DRAFT&status=PUBLISHED", "status <> 'ARCHIVED'"},
                     {"status=DRAFT&make=volvo", "status = 'DRAFT' AND make = 'Volvo'"},
                     {"priceMin=300", "price >= 300"},
                     {"sort=price&hasImages=true", "0"},
                     {"updatedSince=2026-06-01T12:00:00.001Z", "0"},
                     {"q=item&condition=new", "item_condition = 'NEW'"}})
                check_facets(stock::member_list(), query, of + ") AND " + where, now, own);
        }
    };
    check();
    counts_are_right();
    connection.execute("DELETE FROM list_counts WHERE measure BETWEEN 100 AND 110");
    BOOST_TEST(recount_all(connection) > 0u);
    check();
}

BOOST_AUTO_TEST_CASE(what_is_kept_is_not_read_from_the_rows) {
    CountedJobs::write(some_jobs(2500));
    const auto& list = jobs::public_list();
    const lists::Fields fields = lists::read_fields(list, http::Query("fields=category,city"));
    const auto read = [&](const std::string& query) {
        const auto selection = selected(list, query);
        return rows_read([&] { facets(selection, fields, now + 24h); });
    };
    connection.execute("UPDATE jobs SET expires_at = NULL");
    for (const char* query : {"", "category=sales", "city=london&city=lodz", "city=london&category=sales", "department=parts"})
        BOOST_TEST(read(query) < 120u, query);
    BOOST_TEST(read("department=parts&contractType=permanent") > 200u);
}

BOOST_AUTO_TEST_CASE(the_hundred_most_frequent_values_are_shown) {
    auto all = some_jobs(120);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].status = "PUBLISHED";
        all[i].published_at = now;
        all[i].expires_at.reset();
        all[i].city = "City " + std::to_string(1000 + i);
    }
    all[119].city = "city 1118";
    CountedJobs::write(all);
    const auto& list = jobs::public_list();
    const auto fields = lists::read_fields(list, http::Query("fields=city"));
    std::string json = R"({"value":"City 1118","count":2})";
    for (int i = 0; i < 99; ++i) json += R"(,{"value":"City )" + std::to_string(1000 + i) + R"(","count":1})";
    BOOST_TEST(lists::to_json(fields, facets(selected(list, ""), fields, now)) == wrapped("\"city\":[" + json + "]", 120));
}

BOOST_AUTO_TEST_CASE(another_text_under_an_id_is_an_error) {
    connection.execute("INSERT INTO facet_values (id, text) VALUES (?, 'Leeds')", {std::int64_t(counts::value_id("London"))});
    auto one = job();
    one.city = "London";
    BOOST_CHECK_THROW(CountedJobs::write({one}), db::Error);
    one.city = "Leeds";
    CountedJobs::write({one});
    connection.execute("UPDATE facet_values SET text = 'London' WHERE id = ?", {std::int64_t(counts::value_id("London"))});
    one.city = "London";
    CountedJobs::write({one});
    counts_are_right();
}

// A text that is there is not locked, and two who write a new one wait for each other.
BOOST_AUTO_TEST_CASE(writers_of_one_value) {
    db::Connection other(database.config());
    connection.execute("INSERT INTO facet_values (id, text) VALUES (1, 'old')");
    db::Transaction mine(connection);
    counts::write_values(connection, {{1, "old"}, {2, "new"}});
    other.execute("SET innodb_lock_wait_timeout = 1");
    counts::write_values(other, {{1, "old"}, {3, "newer"}});
    other.execute("DELETE FROM facet_values WHERE id = 1");
    BOOST_CHECK_THROW(counts::write_values(other, {{2, "new"}}), db::Error);
    mine.commit();
    counts::write_values(other, {{2, "new"}});
    texts.learn(other, std::vector<std::uint64_t>{1, 2, 3});
    BOOST_TEST(!texts.find(1));
    BOOST_TEST(*texts.find(2) == "new");
    BOOST_TEST(*texts.find(3) == "newer");
}

BOOST_AUTO_TEST_CASE(many_values_at_once) {
    counts::Values all;
    std::vector<std::uint64_t> ids;
    for (std::uint64_t i = 1; i <= 1001; ++i) {
        const auto text = "value " + std::to_string(i);
        ids.push_back(counts::value_id(text));
        all.emplace(ids.back(), text);
    }
    counts::write_values(connection, all);
    texts.learn(connection, ids);
    for (const auto& [id, text] : all) BOOST_TEST(*texts.find(id) == text);
}

BOOST_AUTO_TEST_SUITE_END()
