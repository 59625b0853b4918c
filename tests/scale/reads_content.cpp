#include "scale/reads.h"

namespace tradepost::test {
namespace {

constexpr const char* places[] = {"", ", middle page", ", last page", ", past the end"};

void posts(std::vector<Read>& all) {
    const auto add = [&](const std::string& name, const std::string& query, const std::string& where, At at = At::first,
                         const std::string& by_design = {}) {
        all.push_back({"posts: " + name + places[int(at)], "/posts", query, Caller::anybody,
                       "posts t LEFT JOIN fixture_organisations o ON o.id = t.organisation_id",
                       both("t.published_at <= '{now}' AND (o.id IS NULL OR o.published = 1)", where),
                       "t.published_at DESC, t.id DESC", at, by_design});
    };
    const auto tagged = [](int n) { return "(t.tags LIKE '%\"Tag " + std::to_string(n) + "\"%')"; };
    const auto tag = [](int n) { return parameter("tag", "tag " + std::to_string(n)); };
    for (const At at : {At::first, At::middle, At::last, At::past_the_end}) {
        add("all", "", "", at);
        add("tag", tag(0), tagged(0), at);
    }
    add("rare tag", tag(39), tagged(39));
    add("two tags (reads the tags' index)", joined(tag(38), tag(39)), "(" + tagged(38) + " OR " + tagged(39) + ")", At::first,
        "(" + tagged(38) + " OR " + tagged(39) + ")");
}

// What goes on at the moment is looked for among all that began since the first of it: here within 61 hours.
const std::string since_the_first = "t.starts_at BETWEEN '{now}' - INTERVAL 61 HOUR AND '{now}'";

void events(std::vector<Read>& all) {
    const auto add = [&](const std::string& name, const std::string& query, const std::string& where, At at = At::first,
                         const std::string& by_design = {}) {
        all.push_back({"events: " + name + places[int(at)], "/events", query, Caller::anybody,
                       "events t JOIN fixture_organisations o ON o.id = t.organisation_id",
                       both("t.published_at <= '{now}' AND o.published = 1", where),
                       "t.over_at < '{now}', IF(t.over_at < '{now}', NULL, t.starts_at), IF(t.over_at < '{now}', t.starts_at, "
                       "NULL) DESC, t.id DESC",
                       at, by_design.empty() ? since_the_first : by_design});
    };
    const std::string category = parameter("category", "categorie 3"), in_category = "t.category = 'Catégorie 3'";
    const std::string city = parameter("city", "lodz 0"), in_city = "t.city = 'Łódź 0'";
    for (const At at : {At::first, At::middle, At::last, At::past_the_end}) {
        add("all", "", "", at);
        add("category", category, in_category, at);
        add("city", city, in_city, at);
        add("category and city (reads the city's index)", joined(category, city), both(in_category, in_city), at, in_city);
    }
    add("from", "from={soon}", "t.starts_at >= '{soon}'");
    add("to", "to={soon}", "t.starts_at <= '{soon}'");
    add("from and to", "from={long ago}&to={soon}", "t.starts_at BETWEEN '{long ago}' AND '{soon}'");
    add("from and to", "from={long ago}&to={soon}", "t.starts_at BETWEEN '{long ago}' AND '{soon}'", At::middle);
    add("from and category", "from={soon}&" + category, both("t.starts_at >= '{soon}'", in_category));
}

}  // namespace

std::vector<Read> content_reads() {
    std::vector<Read> all;
    posts(all);
    events(all);
    return all;
}

}  // namespace tradepost::test
