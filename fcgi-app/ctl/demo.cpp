// demo: imports what a UK trade marketplace might hold, which demo.json describes.
//
// Of each kind the file has an object with the members of its lines, filled in by their order. Those whose names begin with "_" are not
// written. A name that begins with "*" stands for the members of its value. In a text {A.B} is replaced by the member B of A, an earlier
// member of the item or a member of the file, and {~A} by A as a slug. A list gives one of its elements. Other objects are
//   {"odds": [[3, A], [1, B]]}                     A three times of four
//   {"nth": LIST}                                  the element with the number of the item, from the first again after the last
//   {"number": [LEAST, MOST, STEP], "plus": A}     STEP is 1 and A is 0 when left out; a text names the list
//   {"from": TIME, "minutes": as number, "past": true}    so long after now, today or a member, but before now
#include <filesystem>
#include <fstream>
#include <iostream>

#include "audit/record.h"
#include "core/crypto.h"
#include "core/present.h"
#include "core/slug.h"
#include "ctl/commands.h"
#include "ctl/import/import.h"
#include "ctl/output.h"
#include "identity/passwords/passwords.h"
#include "identity/people/memberships.h"
#include "identity/people/users.h"
#include "resource/description.h"
#include "resources/enquiries/writer.h"
#include "resources/jobs/job.h"
#include "resources/stock/stock_item.h"

namespace tradepost::ctl {
namespace {

constexpr const char* demo_email = "demo@tradepost.example";

// SplitMix64: numbers that depend on a kind and an item only. The numbers of item n + 1 are those of item n from the second on: where
// more than one is drawn, of() keeps neighbours apart.
class DemoRandom {
public:
    DemoRandom(std::string_view kind, std::size_t n) {
        for (const char c : kind) state_ = state_ * 1099511628211u + static_cast<unsigned char>(c);
        state_ += n * 0x9e3779b97f4a7c15u;
    }
    static DemoRandom of(std::string_view kind, std::size_t n) { return {kind, DemoRandom(kind, n).next()}; }
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t bound) { return std::size_t(next() % bound); }

private:
    std::uint64_t state_ = 20240229;
};

// A version 7 UUID of the year 2025, the same in every run.
core::Uuid demo_id(std::string_view kind, std::size_t n) {
    DemoRandom random(kind, n + (std::size_t(1) << 40));
    std::string bytes;
    for (int i = 5; i >= 0; --i) bytes += char((1735689600000u + n * 60000u) >> (8 * i));
    for (int i = 0; i < 10; ++i) bytes += char(random.next());
    bytes[6] = char((bytes[6] & 0x0f) | 0x70);
    bytes[8] = char((bytes[8] & 0x3f) | 0x80);
    return core::Uuid::from_bytes(bytes);
}

// The nth item of a kind. It is the same in every run, but for times, which move with `now`.
class DemoItem {
public:
    DemoItem(const Json& file, core::Time now, const std::string& kind, std::size_t n, Json known = Json::object())
        : file_(file), now_(now), random_(DemoRandom::of(kind, n)), n_(n), item_(std::move(known)) {
        item_["id"] = demo_id(kind, n).to_string();
        item_["_n"] = n;
        item_["_year"] = int(std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(now)).year());
        fill(file.at(kind), item_);
    }
    const Json& all() const { return item_; }
    std::string line() const {
        auto line = Json::object();
        for (const auto& [name, value] : item_.items())
            if (!name.starts_with('_') && !value.is_null()) line[name] = value;
        return line.dump() + "\n";
    }

private:
    void fill(const Json& members, Json& into) {
        for (const auto& [name, value] : members.items()) {
            const Json chosen = choose(value);
            if (name[0] == '*') {
                fill(chosen, into);
                continue;
            }
            auto found = name[0] == '_' && chosen.is_object() && !chosen.contains("from") ? chosen : evaluate(chosen);
            if (&into == &item_ || !found.is_null()) into[name] = std::move(found);
        }
    }

    // What is left of choices, and of a text that is a name and nothing else.
    const Json& choose(const Json& value) {
        if (value.is_string()) {
            const auto& text = value.get_ref<const std::string&>();
            if (!text.starts_with('{') || text[1] == '~' || text.find('}') != text.size() - 1) return value;
            const auto& named = find(text.substr(1, text.size() - 2));
            return choose(named.is_array() ? named.at(random_.below(named.size())) : named);
        }
        if (!value.is_object()) return value;
        if (value.contains("nth")) return choose(list(value["nth"]).at(n_ % list(value["nth"]).size()));
        if (!value.contains("odds")) return value;
        std::size_t sum = 0;
        for (const auto& way : value["odds"]) sum += way.at(0).get<std::size_t>();
        auto place = random_.below(sum);
        for (const auto& way : value["odds"]) {
            if (place < way[0].get<std::size_t>()) return choose(way.at(1));
            place -= way[0].get<std::size_t>();
        }
        throw std::logic_error("no way was chosen");
    }

    Json evaluate(const Json& value) {
        const Json& chosen = choose(value);
        if (chosen.is_string()) return filled(chosen.get<std::string>());
        Json all = chosen;
        if (chosen.is_array())
            for (auto& element : all) element = evaluate(element);
        if (!chosen.is_object()) return all;
        if (chosen.contains("from")) return time(chosen);
        if (chosen.contains("number"))
            return number(chosen["number"]) + (chosen.contains("plus") ? evaluate(chosen["plus"]).get<std::int64_t>() : 0);
        fill(chosen, all = Json::object());
        return all;
    }

    std::int64_t number(const Json& range) {
        const auto& least_most = list(range);
        const auto least = least_most.at(0).get<std::int64_t>(), most = least_most.at(1).get<std::int64_t>();
        const auto step = least_most.size() > 2 ? least_most[2].get<std::int64_t>() : 1;
        return least + step * std::int64_t(random_.below(std::size_t((most - least) / step + 1)));
    }

    std::string time(const Json& value) {
        const std::string from = value["from"];
        const auto base = from == "now"     ? now_
                          : from == "today" ? core::Time(std::chrono::floor<std::chrono::days>(now_))
                                            : core::present(core::parse_rfc3339(find(from).get<std::string>()));
        const auto found = base + std::chrono::minutes(number(value.at("minutes")));
        return core::to_rfc3339(value.contains("past") ? std::min(found, now_ - std::chrono::minutes(1)) : found);
    }

    std::string filled(const std::string& text) {
        std::string out;
        for (std::size_t at = 0, open, close; at < text.size(); at = close + 1) {
            open = text.find('{', at);
            out.append(text, at, open - at);
            if (open == std::string::npos) break;
            close = text.find('}', open);
            const bool is_slug = text[open + 1] == '~';
            const auto value = evaluate("{" + text.substr(open + 1 + is_slug, close - open - is_slug));
            const std::string word = value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
            out += is_slug ? core::slugify(word, "demo") : word;
        }
        return out;
    }

    const Json& list(const Json& named) { return named.is_string() ? find(named.get<std::string>()) : named; }

    // Null when the object that is named has no such member. Throws Failure when there is no such object.
    const Json& find(const std::string& path) const {
        static const Json none;
        const auto dot = path.find('.');
        const auto name = path.substr(0, dot);
        const Json* at = item_.contains(name) ? &item_ : &file_;
        if (!at->contains(name)) throw Failure("the demo data have no " + path + " for {" + path + "}");
        at = &at->at(name);
        for (auto begin = dot; begin != std::string::npos;) {
            const auto end = path.find('.', begin + 1);
            const auto member = at->find(path.substr(begin + 1, end - begin - 1));
            if (member == at->end()) return none;
            at = &*member;
            begin = end;
        }
        return *at;
    }

    const Json& file_;
    const core::Time now_;
    DemoRandom random_;
    const std::size_t n_;
    Json item_;
};

struct DemoKind {
    std::string name, plural, table, noun;  // in demo.json, on the command line, in the database, and for people
    Importer* import;                       // null: of enquiries there is none
    std::size_t count, least = 0;
};

struct DemoOptions {
    std::string data;
    std::vector<DemoKind> kinds{
        {"organisation", "organisations", "organisations", "organisations", import_organisations, 60, 1},
        {"job", "jobs", "jobs", "jobs", import_jobs, 400},
        {"event", "events", "events", "events", import_events, 120},
        {"post", "posts", "posts", "posts", import_posts, 150},
        {"stock", "stock", "stock_items", "stock items", import_stock, 300},
        {"enquiry", "enquiries", "enquiries", "enquiries", nullptr, 80},
    };
    std::size_t count(std::string_view kind) const {
        return std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.name == kind; })->count;
    }
};

// Three groups of four from 32 letters and digits that are hard to confuse: 60 bits.
std::string make_password() {
    static constexpr char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
    std::string password;
    for (const char byte : core::random_bytes(12)) {
        if (password.size() % 5 == 4) password += '-';
        password += letters[static_cast<unsigned char>(byte) % 32];
    }
    return password;
}

// The file that is named; else the one beside the migrations in the package's share folder, or in the source tree.
Json read_demo(const std::string& named) {
    std::ifstream file(named);
    const auto folder = named.empty() ? std::filesystem::path(migrations_directory("")).parent_path() : "";
    for (const auto* place : {"demo.json", "fcgi-app/demo.json"})
        if (named.empty() && !file.is_open()) file.open(folder / place);
    if (!file.is_open()) throw Failure("the demo data cannot be read: name their file, demo.json, with --data FILE");
    return Json::parse(file);
}

class Demo {
public:
    Demo(Context& context, const DemoOptions& options) : context_(context), options_(options), file_(read_demo(options.data)) {}

    int run() {
        Json added;
        for (const auto& kind : options_.kinds)
            if (kind.import) added[kind.plural] = add(kind);
        // Last, so that a load that is interrupted does not lose the password.
        const auto password = make_password();
        bool is_new = false;
        writes::write(connection_, [&](writes::WriteTransaction& transaction) {
            is_new = add_user(password);
            added["enquiries"] = add_enquiries(transaction);
        });
        if (context_.json) {
            added["email"] = demo_email;
            added["password"] = is_new ? Json(password) : Json();
            print(added);
            return 0;
        }
        for (const auto& kind : options_.kinds)
            std::cout << (kind.least ? "added " : ", ") << added[kind.plural] << " " << kind.noun;
        std::cout << "\nDemo sign-in: " << demo_email << " "
                  << (is_new ? password
                             : "(its password was shown when it was made; tradepostctl user set-password gives another)")
                  << "\n";
        return 0;
    }

private:
    // Imports those items that are not there. Returns how many.
    std::size_t add(const DemoKind& kind) {
        constexpr std::size_t batch = 5000;
        std::size_t added = 0;
        for (std::size_t first = 0; first < kind.count; first += batch) {
            const auto end = std::min(kind.count, first + batch);
            std::vector<db::Value> ids;
            for (auto n = first; n < end; ++n) ids.emplace_back(demo_id(kind.name, n));
            std::set<core::Uuid> known;
            for (const auto& row : connection_.query(
                     "SELECT id FROM " + kind.table + " FORCE INDEX (PRIMARY) WHERE id IN (" + db::placeholders(ids.size()) + ")",
                     ids))
                known.insert(row.uuid(0));
            std::string text;
            for (auto n = first; n < end; ++n)
                if (!known.contains(demo_id(kind.name, n))) text += item(kind.name, n).line();
            if (text.empty()) continue;
            Lines lines("demo.json", text);
            added += kind.import(connection_, lines, context_.clock, {context_.config().auth}).added;
        }
        return added;
    }

    // Of an organisation, as the import made it.
    const std::string& slug(std::size_t n) {
        for (auto i = slugs_.size(); i <= n; ++i)
            slugs_.push_back(
                connection_.query("SELECT slug FROM organisations WHERE id = ?", {demo_id("organisation", i)}).at(0).text(0));
        return slugs_[n];
    }

    DemoItem item(const std::string& kind, std::size_t n) {
        if (kind == "organisation") return {file_, now_, kind, n};
        auto organisation = DemoItem(file_, now_, "organisation", owner(kind, n)).all();
        organisation["slug"] = slug(owner(kind, n));
        return {file_, now_, kind, n, {{"_by", std::move(organisation)}}};
    }

    // Whoever signs in to look around belongs to the first organisation.
    std::size_t owner(const std::string& kind, std::size_t n) const {
        return kind == "stock" && n % 3 == 0 ? 0 : DemoRandom(kind + " of", n).below(organisations_);
    }

    // True when the user was added.
    bool add_user(const std::string& password) {
        identity::Users users(connection_);
        if (users.find_by_email(demo_email)) return false;
        identity::User user;
        user.id = core::Uuid::v7(now_);
        user.email = demo_email;
        user.name = "Demo User";
        user.password_hash = identity::Passwords(context_.config().auth).hash(password);
        user.created_at = user.updated_at = now_;
        users.insert(user);
        audit::record(connection_, now_, {.event = audit::Event::user_added, .user = user.id, .detail = "demo"});
        identity::Memberships(connection_).add(user.id, demo_id("organisation", 0), identity::Role::admin, now_);
        return true;
    }

    std::size_t add_enquiries(writes::WriteTransaction& transaction) {
        const auto user = core::present(identity::Users(connection_).find_by_email(demo_email)).id;
        enquiries::EnquiryWriter writer(transaction);
        std::size_t added = 0;
        for (std::size_t n = 0; n < options_.count("enquiry"); ++n) {
            if (writer.find(demo_id("enquiry", n))) continue;
            writer.insert(enquiry(n, user));
            ++added;
        }
        return added;
    }

    // Most are to whoever signs in to look around, and every fourth is theirs to somebody else.
    enquiries::Enquiry enquiry(std::size_t n, const core::Uuid& user) {
        auto random = DemoRandom::of("enquiry about", n);
        const bool sent = n % 4 == 3 && organisations_ > 1;
        enquiries::Enquiry enquiry;
        enquiry.id = demo_id("enquiry", n);
        enquiry.type = "GENERAL";
        const auto first = demo_id("organisation", 0);
        enquiry.organisation_id = sent ? demo_id("organisation", 1 + random.below(organisations_ - 1)) : first;
        // The row as it is: somebody may have changed it, or another version made it.
        const auto choose = [&](const char* type, const auto& is, const std::string& kind, std::size_t place, auto& named) {
            const auto id = demo_id(kind, place);
            const auto rows = connection_.query(
                "SELECT organisation_id FROM " + std::string(is.table) + " WHERE id = ? AND " + resource::listed_sql(is), {id});
            if (rows.empty() || (rows[0].uuid(0) == first) == sent) return;
            enquiry.type = type;
            enquiry.organisation_id = rows[0].uuid(0);
            named = id;
        };
        if (random.below(100) < 60)
            choose("STOCK", stock::StockItem::described(), "stock", random.below(options_.count("stock") + 1) / 3 * 3 + sent,
                   enquiry.stock_id);
        if (!enquiry.stock_id)
            choose("JOB", jobs::Job::described(), "job", random.below(options_.count("job") + 1), enquiry.job_id);
        if (sent) enquiry.from_user_id = user;
        const json::Json made =
            DemoItem(file_, now_, "enquiry", n,
                     {{"_sender", sent ? "{sent}" : "{received}"}, {"_messages", file_.at("messages").at(enquiry.type)}})
                .all();
        fields::read_fields<enquiries::Enquiry>(made, enquiries::sent_fields(), enquiry, fields::Reading::import);
        fields::read_fields<enquiries::Enquiry>(made, enquiries::worked_fields(), enquiry, fields::Reading::import);
        enquiry.created_at = core::present(core::parse_rfc3339(made.at("createdAt").get<std::string>()));
        enquiry.updated_at = core::present(core::parse_rfc3339(made.at("updatedAt").get<std::string>()));
        if (enquiry.status == "REPLIED") enquiry.replied_at = enquiry.updated_at;
        return enquiry;
    }

    Context& context_;
    const DemoOptions& options_;
    const Json file_;
    const core::Time now_ = context_.now();
    db::Connection& connection_ = context_.connection();
    const std::size_t organisations_ = options_.count("organisation");
    std::vector<std::string> slugs_;  // of the organisations, read as they are needed
};

}  // namespace

void add_demo_command(Command app, Context& context) {
    const auto options = std::make_shared<DemoOptions>();
    const auto demo = app.add("demo", "add demo data up to the given numbers of rows, and a user for signing in");
    for (auto& kind : options->kinds) demo.number("--" + kind.plural, kind.count, kind.least, 10'000'000);
    demo.option("--data", options->data, "the file of words and templates instead of the installed demo.json", "FILE");
    on(demo, context, [&context, options] { return Demo(context, *options).run(); });
}

}  // namespace tradepost::ctl
