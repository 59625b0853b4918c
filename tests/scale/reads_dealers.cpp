#include "scale/reads.h"

namespace tradepost::test {
namespace {

const std::string newest = "t.created_at DESC, t.id DESC";

void stock(std::vector<Read>& all) {
    const std::string from = "stock_items t JOIN fixture_organisations o ON o.id = t.organisation_id";
    const auto add = [&](const std::string& name, const std::string& query, const std::string& where,
                         Caller caller = Caller::dealer, At at = At::first, const std::string& by_design = {}) {
        all.push_back({"stock: " + name, "/stock", query, caller, from,
                       both(caller == Caller::group ? "o.n < 3" : "o.n = 0", where), newest, at, by_design});
    };
    const std::string status = "status=PUBLISHED", published = "t.status = 'PUBLISHED'";
    const std::string availability = "availability=IN_STOCK", available = "t.availability = 'IN_STOCK'";
    add("all", "", "");
    add("status", status, published);
    add("two statuses", status + "&status=DRAFT", "t.status IN ('PUBLISHED', 'DRAFT')");
    add("availability", availability, available);
    add("status and availability", joined(status, availability), both(published, available));
    add("reference", "reference=R-17", "t.reference = 'R-17'");
    add("of three organisations", "", "", Caller::group);
    add("of three organisations, status", status, published, Caller::group);
    add("one of three organisations", "organisationId={organisation}", "o.n = 0", Caller::group);
    for (const At at : {At::middle, At::last, At::past_the_end}) {
        const std::string page = at == At::middle ? ", middle page" : at == At::last ? ", last page" : ", past the end";
        add("all" + page, "", "", Caller::dealer, at);
        add("status" + page, status, published, Caller::dealer, at);
        // Within a bucket of times the organisation's index is walked, whatever the filter.
        add("status and availability" + page, joined(status, availability), both(published, available), Caller::dealer, at,
            published);
        add("of three organisations" + page, "", "", Caller::group, at);
    }
}

void enquiries(std::vector<Read>& all) {
    const std::string from = "enquiries t JOIN fixture_organisations o ON o.id = t.organisation_id";
    const auto add = [&](const std::string& name, const std::string& query, const std::string& where, At at = At::first,
                         Caller caller = Caller::dealer, const std::string& by_design = {}) {
        const std::string whose = query.starts_with("sent=true") ? "t.from_user_id = UNHEX(MD5('user 0'))"
                                  : caller == Caller::group      ? "o.n < 3"
                                                                 : "o.n = 0";
        all.push_back({"enquiries: " + name, "/enquiries", query, caller, from, both(whose, where), newest, at, by_design});
    };
    const std::string status = "status=NEW", is_new = "t.status = 'NEW'", type = "type=STOCK", is_stock = "t.type = 'STOCK'";
    add("all", "", "");
    add("status", status, is_new);
    add("type", type, is_stock);
    add("status and type", joined(status, type), both(is_new, is_stock));
    add("of three organisations", "", "", At::first, Caller::group);
    add("sent", "sent=true", "");
    add("sent, status", "sent=true&" + status, is_new);
    add("sent, status and type (reads the sender's index)", "sent=true&" + status + "&" + type, both(is_new, is_stock), At::first,
        Caller::dealer, "t.from_user_id = UNHEX(MD5('user 0'))");
    add("about one item (reads the recipient's index)", "stockId={item}", "t.stock_id = UNHEX(MD5('item 7'))", At::first,
        Caller::dealer, "o.n = 0");
    for (const At at : {At::middle, At::last, At::past_the_end}) {
        const std::string page = at == At::middle ? ", middle page" : at == At::last ? ", last page" : ", past the end";
        add("all" + page, "", "", at);
        add("status" + page, status, is_new, at);
        add("sent" + page, "sent=true", "", at);
    }
}

void jobs_of_members(std::vector<Read>& all) {
    const std::string from = "jobs t JOIN fixture_organisations o ON o.id = t.organisation_id";
    const auto add = [&](const std::string& name, const std::string& query, const std::string& where, At at = At::first,
                         const std::string& by_design = {}) {
        all.push_back({"jobs of a member: " + name, "/jobs", joined("organisationId={organisation}", query), Caller::dealer, from,
                       both("o.n = 0", where), "t.published_at DESC, t.id DESC", at, by_design});
    };
    add("all", "", "");
    add("status (reads the organisation's index)", "status=DRAFT", "t.status = 'DRAFT'", At::first, "o.n = 0");
    add("all, middle page", "", "", At::middle);
    add("all, last page", "", "", At::last);
}

}  // namespace

std::vector<Read> dealer_reads() {
    std::vector<Read> all;
    stock(all);
    enquiries(all);
    jobs_of_members(all);
    return all;
}

}  // namespace tradepost::test
