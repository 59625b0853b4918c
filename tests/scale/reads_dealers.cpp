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

// By what it is, from its fields, and in another order than the newest first.
void stock_by_fields(std::vector<Read>& all) {
    const std::string from = "stock_items t JOIN fixture_organisations o ON o.id = t.organisation_id";
    const auto add = [&](const std::string& name, const std::string& query, const std::string& where, At at = At::first,
                         const std::string& by_design = {}, const std::string& order = newest) {
        all.push_back({"stock: " + name, "/stock", query, Caller::dealer, from, both("o.n = 0", where), order, at,
                       by_design.empty() ? "" : both("o.n = 0", by_design)});
    };
    struct Field {
        std::string name, query, where;
    };
    const Field make{"make", parameter("make", "marke 3"), "t.make = 'Märke 3'"};
    const Field model{"model", parameter("model", "model 40"), "t.model = 'Model 40'"};
    const Field condition{"condition", "condition=NEW", "t.item_condition = 'NEW'"};
    const Field price{"price", "priceMin=30000000&priceMax=60000000", "t.price BETWEEN 30000000 AND 60000000"};
    const std::string state = "status=PUBLISHED", published = "t.status = 'PUBLISHED'";
    for (const Field& field :
         {make, model, Field{"category", parameter("category", "categorie 5"), "t.category = 'Catégorie 5'"}, condition,
          Field{"images", "hasImages=false", "NOT EXISTS (SELECT * FROM stock_images i WHERE i.stock_id = t.id)"}, price,
          Field{"lowest price", "priceMin=90000000", "t.price >= 90000000"},
          Field{"no such price", "priceMin=999999999999", "FALSE"},
          Field{"year", "yearMin=2001&yearMax=2006", "t.year BETWEEN 2001 AND 2006"}}) {
        add(field.name, field.query, field.where);
        add(field.name + " and status", joined(field.query, state), both(field.where, published));
    }
    for (const At at : {At::middle, At::last}) {
        const std::string page = at == At::middle ? ", middle page" : ", last page";
        add(make.name + page, make.query, make.where, at);
        // Within a bucket of times the organisation's index is walked.
        add(condition.name + page, condition.query, condition.where, at, condition.where);
    }
    add("two makes", joined(make.query, parameter("make", "marke 4")), "t.make IN ('Märke 3', 'Märke 4')");
    add("make and model (reads the model's index)", joined(make.query, model.query), both(make.where, model.where), At::first,
        model.where);
    add("make and price (reads the make's index)", joined(make.query, price.query), both(make.where, price.where), At::first,
        make.where);
    struct Sort {
        std::string name, order, ties;  // what may be read of the rows that have one value
    };
    for (const Sort& sort :
         {Sort{"updated", "t.updated_at DESC, t.id DESC", ""}, Sort{"price", "t.price IS NULL, t.price, t.id DESC", ""},
          Sort{"-price", "t.price IS NULL, t.price DESC, t.id DESC", ""},
          Sort{"year", "t.year IS NULL, t.year, t.id DESC", "t.year = 2007"},
          Sort{"-year", "t.year IS NULL, t.year DESC, t.id DESC", "t.year = 2007"}}) {
        const auto query = parameter("sort", sort.name), name = "sort by " + sort.name;
        add(name, query, "", At::first, "", sort.order);
        add(name + ", status", joined(query, state), published, At::first, "", sort.order);
        add(name + ", make (sorts the make's rows)", joined(query, make.query), make.where, At::first, make.where, sort.order);
        add(name + ", price", joined(query, price.query), price.where, At::first, "", sort.order);
        add(name + ", middle page", query, "", At::middle, sort.ties, sort.order);
        add(name + ", last page", query, "", At::last, "", sort.order);
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
    stock_by_fields(all);
    enquiries(all);
    jobs_of_members(all);
    return all;
}

}  // namespace tradepost::test
