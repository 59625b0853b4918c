// demo
#include <iostream>
#include <map>
#include <set>

#include "audit/record.h"
#include "core/crypto.h"
#include "core/present.h"
#include "core/slug.h"
#include "ctl/commands.h"
#include "ctl/demo_data.h"
#include "ctl/demo_enquiries.h"
#include "ctl/output.h"
#include "identity/memberships.h"
#include "identity/organisations.h"
#include "identity/passwords.h"
#include "identity/users.h"
#include "resources/accounts/publication.h"
#include "resources/events/writer.h"
#include "resources/jobs/writer.h"
#include "resources/posts/writer.h"
#include "resources/stock/writer.h"
#include "writes/slugs.h"

namespace tradepost::ctl {
namespace {

constexpr const char* demo_email = "demo@tradepost.example";
constexpr std::size_t demo_batch = 500;

struct Sizes {
    std::size_t organisations = 60, jobs = 400, events = 120, posts = 150, stock = 300, enquiries = 80;
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

// Several items share a base slug; the nth has the same number in every run.
class Numbering {
public:
    void number(std::string& slug) {
        const std::string base = slug;
        do slug = core::numbered_slug(base, ++last_[base]);
        while (!given_.insert(slug).second);
    }

private:
    std::map<std::string, int> last_;
    std::set<std::string> given_;
};

// Gives those whose slug somebody else's row has another one. Leaves out what is there already.
template <class Item>
std::vector<Item> missing(db::Connection& connection, std::string_view table, std::vector<Item> items,
                          const std::vector<Item>& found) {
    std::set<core::Uuid> ids;
    std::map<std::string, core::Uuid> slugs;
    for (const auto& item : found) {
        ids.insert(item.id);
        slugs[item.slug] = item.id;
    }
    std::erase_if(items, [&](const Item& item) { return ids.contains(item.id); });
    for (auto& item : items)
        if (slugs.contains(item.slug)) item.slug = writes::unique_slug(connection, table, item.slug);
    return items;
}

template <class Writer, class Make>
std::size_t write(writes::WriteTransaction& transaction, std::string_view table, std::size_t count, Make make) {
    Writer writer(transaction);
    Numbering numbering;
    std::size_t written = 0;
    for (std::size_t n = 0; n < count;) {
        std::vector<typename Writer::Resource> items;
        std::vector<core::Uuid> ids;
        std::vector<std::string> slugs;
        for (; n < count && items.size() < demo_batch; ++n) {
            items.push_back(make(n));
            numbering.number(items.back().slug);
            ids.push_back(items.back().id);
            slugs.push_back(items.back().slug);
        }
        const auto found = writer.find(ids, slugs);
        items = missing(transaction.connection(), table, std::move(items), found);
        writer.write(items);
        written += items.size();
    }
    return written;
}

std::size_t write_stock(writes::WriteTransaction& transaction, std::size_t count,
                        std::span<const identity::Organisation> organisations, core::Time now) {
    stock::StockWriter writer(transaction);
    std::size_t written = 0;
    for (std::size_t n = 0; n < count;) {
        std::vector<stock::StockItem> items;
        std::vector<core::Uuid> ids;
        std::vector<stock::StockKey> keys;
        for (; n < count && items.size() < demo_batch; ++n) {
            items.push_back(demo::stock_item(n, organisations, now));
            ids.push_back(items.back().id);
            keys.push_back({items.back().organisation_id, items.back().reference});
        }
        for (const auto& row : writer.find(ids, keys))
            std::erase_if(items, [&](const auto& item) {
                return item.id == row.id || (item.organisation_id == row.organisation_id && item.reference == row.reference);
            });
        writer.write(items, {}, now);
        written += items.size();
    }
    return written;
}

std::size_t write_organisations(writes::WriteTransaction& transaction, std::vector<identity::Organisation>& organisations) {
    std::vector<core::Uuid> ids;
    std::vector<std::string> slugs;
    for (const auto& o : organisations) {
        ids.push_back(o.id);
        slugs.push_back(o.slug);
    }
    identity::Organisations table(transaction.connection());
    const auto added = missing(transaction.connection(), "organisations", organisations, table.find(ids, slugs));
    accounts::write_organisations(transaction, added);
    // What belongs to them is made with the slugs that they really have.
    std::map<core::Uuid, identity::Organisation> real;
    for (auto& o : table.find(ids, {})) real.emplace(o.id, std::move(o));
    for (auto& o : organisations) o.slug = real.at(o.id).slug;
    return added.size();
}

// True when the user was added.
bool write_user(db::Connection& connection, const identity::User& user, const core::Uuid& organisation) {
    identity::Users users(connection);
    if (users.find_by_email(user.email)) return false;
    users.insert(user);
    audit::record(connection, user.created_at, {.event = audit::Event::user_added, .user = user.id, .detail = "demo"});
    identity::Memberships(connection).add(user.id, organisation, identity::Role::admin, user.created_at);
    return true;
}

int run(Context& context, const Sizes& sizes) {
    auto& connection = context.connection();
    const auto now = context.now();
    const std::string password = make_password();
    identity::User user;
    user.id = core::Uuid::v7(now);
    user.email = demo_email;
    user.name = "Demo User";
    user.password_hash = identity::Passwords(context.config().auth).hash(password);
    user.created_at = user.updated_at = now;

    struct {
        std::size_t organisations = 0, jobs = 0, events = 0, posts = 0, stock = 0, enquiries = 0;
        bool user = false;
    } added;
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        std::vector<identity::Organisation> organisations;
        Numbering numbering;
        for (std::size_t n = 0; n < sizes.organisations; ++n)
            numbering.number(organisations.emplace_back(demo::organisation(n, now)).slug);
        added.organisations = write_organisations(transaction, organisations);
        added.user = write_user(connection, user, organisations[0].id);
        added.jobs = write<jobs::JobWriter>(transaction, "jobs", sizes.jobs,
                                            [&](std::size_t n) { return demo::job(n, organisations, now); });
        added.events = write<events::EventWriter>(transaction, "events", sizes.events,
                                                  [&](std::size_t n) { return demo::event(n, organisations, now); });
        added.posts = write<posts::PostWriter>(transaction, "posts", sizes.posts,
                                               [&](std::size_t n) { return demo::post(n, organisations, now); });
        added.stock = write_stock(transaction, sizes.stock, organisations, now);
        const auto demo_user = core::present(identity::Users(connection).find_by_email(demo_email)).id;
        added.enquiries =
            demo::write_enquiries(transaction, sizes.enquiries, {organisations, sizes.jobs, sizes.stock, demo_user}, now);
    });

    if (context.json) {
        print({{"organisations", added.organisations},
               {"jobs", added.jobs},
               {"events", added.events},
               {"posts", added.posts},
               {"stock", added.stock},
               {"enquiries", added.enquiries},
               {"email", demo_email},
               {"password", added.user ? Json(password) : Json()}});
        return 0;
    }
    std::cout << "added " << added.organisations << " organisations, " << added.jobs << " jobs, " << added.events << " events, "
              << added.posts << " posts, " << added.stock << " stock items, " << added.enquiries << " enquiries\n"
              << "Demo sign-in: " << demo_email << " "
              << (added.user ? password
                             : "(its password was shown when it was made; tradepostctl user set-password gives another)")
              << "\n";
    return 0;
}

}  // namespace

void add_demo_command(Command app, Context& context) {
    const auto sizes = std::make_shared<Sizes>();
    const auto demo = app.add("demo", "add demo data up to the given numbers of rows, and a user for signing in");
    const auto size = [&](const char* name, std::size_t& into, std::size_t least) { demo.number(name, into, least, 10'000'000); };
    size("--organisations", sizes->organisations, 1);
    size("--jobs", sizes->jobs, 0);
    size("--events", sizes->events, 0);
    size("--posts", sizes->posts, 0);
    size("--stock", sizes->stock, 0);
    size("--enquiries", sizes->enquiries, 0);
    on(demo, context, [&context, sizes] { return run(context, *sizes); });
}

}  // namespace tradepost::ctl
