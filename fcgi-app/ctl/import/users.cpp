// import users
#include <algorithm>

#include "audit/record.h"
#include "core/slug.h"
#include "ctl/import/fields.h"
#include "identity/passwords/passwords.h"
#include "identity/people/user_writer.h"
#include "identity/sessions/sessions.h"
#include "identity/tokens/issued.h"

namespace tradepost::ctl {
namespace {

using Roles = identity::UserWriter::Roles;
using RolesBySlug = std::map<std::string, identity::Role>;

// A line's fields over what `user` holds.
void fill(const json::Json& object, identity::User& user, const identity::Passwords& passwords) {
    if (object.contains("password"))
        throw http::invalid_field("password", "is not imported: give passwordHash, or use tradepostctl user set-password");
    fields::refuse_unknown<identity::User>(object, identity::user_fields(), members_of<identity::User>());
    fields::read_fields<identity::User>(object, identity::user_fields(), user, fields::Reading::import);
    if (user.password_hash && object.contains("passwordHash"))
        if (const auto fault = passwords.fault(*user.password_hash)) throw http::invalid_field("passwordHash", *fault);
}

// [{"organisation": "slug", "role": "ADMIN"}], or as GET /me shows them; empty when the line says nothing of memberships.
std::optional<RolesBySlug> read_roles(const json::Json& object) {
    const bool organisations = object.contains("organisations");
    const std::string name = organisations ? "organisations" : "memberships";
    if (organisations && object.contains("memberships"))
        throw http::invalid_field("memberships", "and organisations are the same; keep one");
    const auto list = object.find(name);
    if (list == object.end()) return {};
    if (!list->is_array()) throw http::invalid_field(name, "must be a list");
    RolesBySlug roles;
    for (const auto& entry : *list) {
        const auto text = [&](const char* key) {
            const auto found = entry.is_object() ? entry.find(key) : entry.end();
            return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        const std::string slug = text("organisation").empty() ? text("slug") : text("organisation");
        const auto role = identity::parse_role(text("role"));
        if (!core::is_slug(slug)) throw http::invalid_field(name, "each needs the slug of an organisation");
        if (!role) throw http::invalid_field(name, "each needs a role, ADMIN or MEMBER");
        if (!roles.emplace(slug, *role).second) throw http::invalid_field(name, "names " + slug + " twice");
    }
    return roles;
}

// As tradepostctl user set-password and disable do.
bool ends_sessions(const identity::User& user, const identity::User& before) {
    return user.password_hash != before.password_hash || (user.disabled_at && !before.disabled_at);
}

// What an import changes of users who were there. Those whom it adds are in the number that it records of itself.
class Changes {
public:
    Changes(db::Connection& connection, core::Time now) : connection_(connection), now_(now) {}

    void record(const identity::User& user, const identity::User& before) {
        if (user.password_hash != before.password_hash) record(Event::password_changed, user.id);
        if (user.disabled_at && !before.disabled_at) record(Event::user_disabled, user.id);
        if (!user.disabled_at && before.disabled_at) record(Event::user_enabled, user.id);
    }
    void record(const core::Uuid& user, const Roles& roles, const Roles& before) {
        for (const auto& [organisation, role] : roles) {
            const auto had = before.find(organisation);
            if (had == before.end())
                record(Event::membership_added, user, organisation, role);
            else if (had->second != role)
                record(Event::role_changed, user, organisation, role);
        }
        for (const auto& [organisation, role] : before)
            if (!roles.contains(organisation)) record(Event::membership_removed, user, organisation, role);
    }

private:
    using Event = audit::Event;
    void record(Event event, const core::Uuid& user, std::optional<core::Uuid> organisation = {},
                std::optional<identity::Role> role = {}) {
        audit::record(connection_, now_,
                      {.event = event,
                       .user = user,
                       .organisation = organisation,
                       .detail = role ? identity::to_string(*role) : std::string_view()});
    }

    db::Connection& connection_;
    const core::Time now_;
};

class UserImport {
public:
    UserImport(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options)
        : connection_(connection), lines_(lines), options_(options), writer_(connection), now_(clock.now()) {}

    Imported run() {
        return check_and_write(
            connection_, lines_, faults_, "users", now_, options_,
            [&](std::vector<Item>& batch, Imported& planned) {
                std::erase_if(batch, [&](const Item& item) { return !check_alone(item); });
                settle(batch, planned, db::Locks::none);
            },
            [&](writes::WriteTransaction&) {
                organisations_.forget();
                renamed_.clear();
                Imported result;
                each_batch(lines_, faults_, [&](std::vector<Item>& batch) {
                    const auto changes = settle(batch, result, db::Locks::rows);
                    faults_.raise(lines_);
                    write(changes);
                });
                return result;
            });
    }

private:
    // A user that a line adds or changes.
    struct Change {
        identity::User user;
        std::optional<identity::User> before;
        bool is_changed;             // apart from the roles
        std::optional<Roles> roles;  // when others
        std::optional<Roles> roles_before;
    };

    // Whether nothing is wrong with the line but what only the database shows.
    bool check_alone(const Item& item) {
        identity::User user;
        return faults_.attempt_fields(item.line, item.object, identity::user_fields(), [&] {
            fill(item.object, user, passwords_);
            read_roles(item.object);
        }) && faults_.attempt(item.line, [&] {
            if (item.id) keys_.add("id", "", item.id->to_string(), item.line);
            keys_.add("email", "", identity::email_key(user.email), item.line);
        });
    }

    std::vector<Change> settle(const std::vector<Item>& batch, Imported& result, db::Locks locks) {
        std::vector<core::Uuid> ids;
        std::vector<std::string> keys;
        for (const auto& item : batch) {
            if (item.id) ids.push_back(*item.id);
            keys.push_back(identity::email_key(item.object.at("email").get<std::string>()));
        }
        auto found = writer_.find(ids, keys, locks);
        // While nothing is written: the addresses that earlier batches would have given.
        for (auto& row : found)
            if (const auto renamed = renamed_.find(row.id); locks == db::Locks::none && renamed != renamed_.end())
                row.email = renamed->second;
        const auto integrations = writer_.integrations(ids);
        std::map<core::Uuid, const identity::User*> by_id;
        std::map<std::string, const identity::User*> by_email;
        for (const auto& row : found) by_id[row.id] = by_email[identity::email_key(row.email)] = &row;
        ids.clear();
        for (const auto& row : found) ids.push_back(row.id);
        const auto roles_now = writer_.roles(ids);

        std::vector<Change> changes;
        std::vector<std::pair<core::Uuid, std::string>> renamed;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const auto& item = batch[i];
            Change change;
            const identity::User* row = nullptr;
            const bool good = faults_.attempt(item.line, [&] {
                if (item.id && std::find(integrations.begin(), integrations.end(), *item.id) != integrations.end())
                    throw Contradiction("id", "an id is that of an integration: leave it out");
                row = match(item, keys[i], by_id, by_email);
                change.user = build(item, row);
                change.roles = read_ids(item.object);
            });
            if (!good) continue;
            if (row) change.before = *row;
            const auto current = roles_now.find(change.user.id);
            if (current != roles_now.end()) change.roles_before = current->second;
            if (options_.are_foreign && change.roles && change.roles_before)
                change.roles->insert(change.roles_before->begin(), change.roles_before->end());
            change.is_changed = settle_update(
                change.user, row, row && fields::same_fields<identity::User>(identity::user_fields(), change.user, *row), now_);
            if (change.roles && *change.roles == change.roles_before.value_or(Roles())) change.roles.reset();
            if (!change.is_changed && !change.roles) {
                ++result.unchanged;
                continue;
            }
            ++(row ? result.changed : result.added);
            if (row && row->email != change.user.email) renamed.emplace_back(row->id, change.user.email);
            changes.push_back(std::move(change));
        }
        for (auto& [id, email] : renamed) renamed_.insert_or_assign(id, std::move(email));
        return changes;
    }

    void write(const std::vector<Change>& changes) {
        std::vector<identity::User> changed;
        for (const auto& change : changes) {
            if (change.before && change.roles)
                changes_.record(change.user.id, *change.roles, change.roles_before.value_or(Roles()));
            if (!change.is_changed) continue;
            changed.push_back(change.user);
            if (change.before) changes_.record(change.user, *change.before);
        }
        writer_.write(changed);
        for (const auto& change : changes)
            if (change.is_changed && change.before && ends_sessions(change.user, *change.before))
                identity::Sessions(connection_).end_all(change.user.id);
        for (const auto& change : changes)
            if (change.roles) {
                writer_.set_roles(change.user.id, *change.roles, now_);
                if (change.roles_before) end_issued(change.user.id, *change.roles, *change.roles_before);
            }
        for (const auto& change : changes)
            if (change.is_changed && change.before && change.user.disabled_at && !change.before->disabled_at)
                identity::Issued(connection_).end(change.user.id, {}, now_);
    }

    // In organisations of which the user is no ADMIN any more.
    void end_issued(const core::Uuid& id, const Roles& roles, const Roles& before) {
        for (const auto& [organisation, role] : before) {
            const auto after = roles.find(organisation);
            if (role == identity::Role::admin && (after == roles.end() || after->second != role))
                identity::Issued(connection_).end(id, organisation, now_);
        }
    }

    const identity::User* match(const Item& item, const std::string& key,
                                const std::map<core::Uuid, const identity::User*>& by_id,
                                const std::map<std::string, const identity::User*>& by_email) const {
        const auto id = item.id ? by_id.find(*item.id) : by_id.end();
        const auto email = by_email.find(key);
        if (email == by_email.end()) return id == by_id.end() ? nullptr : id->second;
        if (item.id && email->second->id != *item.id)
            throw Contradiction("email", "the email " + key + " belongs to the user " + email->second->id.to_string() +
                                             ": leave out the id to update that");
        return email->second;
    }

    identity::User build(const Item& item, const identity::User* row) const {
        identity::User user;
        user.created_at = user.updated_at = now_;
        if (row) user = *row;
        fill(item.object, user, passwords_);
        if (options_.are_foreign && row && is_own(row->password_hash)) user.password_hash = row->password_hash;
        user.id = row ? row->id : item.id ? *item.id : core::Uuid::v7(now_);
        return user;
    }

    // Whether it was made here, as at a sign-in.
    bool is_own(const std::optional<std::string>& hash) const {
        return hash && hash->starts_with("$argon2id$") && passwords_.work_of(*hash) == passwords_.own_work();
    }

    std::optional<Roles> read_ids(const json::Json& object) {
        const auto by_slug = read_roles(object);
        if (!by_slug) return {};
        Roles roles;
        for (const auto& [slug, role] : *by_slug) roles.emplace(organisations_.of(slug, "organisations"), role);
        return roles;
    }

    db::Connection& connection_;
    Lines& lines_;
    const ImportOptions& options_;
    const identity::Passwords passwords_{options_.auth};
    identity::UserWriter writer_;
    const core::Time now_;
    Changes changes_{connection_, now_};
    Faults faults_;
    Keys keys_;
    OrganisationIds organisations_{connection_};
    std::map<core::Uuid, std::string> renamed_;  // email addresses
};

}  // namespace

Imported import_users(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options) {
    return UserImport(connection, lines, clock, options).run();
}

}  // namespace tradepost::ctl
