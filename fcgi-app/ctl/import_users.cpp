// import users
#include "audit/record.h"
#include "core/slug.h"
#include "core/text.h"
#include "ctl/import.h"
#include "identity/bcrypt.h"
#include "identity/organisations.h"
#include "identity/sessions.h"
#include "identity/user_writer.h"

namespace tradepost::ctl {
namespace {

using Roles = identity::UserWriter::Roles;
using RolesBySlug = std::map<std::string, identity::Role>;

bool may_import(std::string_view hash) {
    return hash.starts_with("$2y$") || hash.starts_with("$2b$") || hash.starts_with("$argon2id$");
}

// A line's fields over what `user` holds.
void fill(const json::Json& object, identity::User& user) {
    if (object.contains("password"))
        throw http::invalid_field("password", "is not imported: give passwordHash, or use tradepostctl user set-password");
    fields::refuse_unknown<identity::User>(object, identity::user_fields(), {"id", "memberships", "organisations"});
    fields::read_fields<identity::User>(object, identity::user_fields(), user, fields::Reading::import);
    if (user.password_hash && object.contains("passwordHash") && !may_import(*user.password_hash))
        throw http::invalid_field("passwordHash", "must begin with $2y$, $2b$ or $argon2id$");
    if (object.contains("passwordHash") && identity::bcrypt_cost(user.password_hash.value_or("")) > identity::most_bcrypt_cost)
        throw http::invalid_field("passwordHash", "must have a cost of bcrypt of at most " +
                                                      std::to_string(identity::most_bcrypt_cost) +
                                                      ": leave it out and use tradepostctl user set-password");
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
    UserImport(db::Connection& connection, Lines& lines, const core::Clock& clock)
        : connection_(connection), lines_(lines), writer_(connection), now_(clock.now()), keys_(lines) {}

    Imported run() {
        each_batch(lines_, [&](std::vector<Item>& batch) {
            for (const auto& item : batch) {
                identity::User user;
                on_line(lines_, item.line, [&] {
                    fill(item.object, user);
                    read_roles(item.object);
                });
                if (item.id) keys_.add("id", item.id->to_string(), item.line);
                keys_.add("email", identity::email_key(user.email), item.line);
            }
        });
        return write_all(connection_, lines_, "users", now_, [&](writes::WriteTransaction&) {
            Imported result;
            each_batch(lines_, [&](std::vector<Item>& batch) { write(batch, result); });
            return result;
        });
    }

private:
    void write(const std::vector<Item>& batch, Imported& result) {
        std::vector<core::Uuid> ids;
        std::vector<std::string> keys;
        for (const auto& item : batch) {
            if (item.id) ids.push_back(*item.id);
            keys.push_back(identity::email_key(item.object.at("email").get<std::string>()));
        }
        const auto found = writer_.find(ids, keys);
        std::map<core::Uuid, const identity::User*> by_id;
        std::map<std::string, const identity::User*> by_email;
        for (const auto& row : found) by_id[row.id] = by_email[identity::email_key(row.email)] = &row;
        ids.clear();
        for (const auto& row : found) ids.push_back(row.id);
        const auto roles_now = writer_.roles(ids);

        std::vector<identity::User> changed;
        std::vector<core::Uuid> signed_out;
        std::vector<std::pair<core::Uuid, Roles>> memberships;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const auto& item = batch[i];
            const auto* row = match(item, keys[i], by_id, by_email);
            auto user = on_line(lines_, item.line, [&] { return build(item, row); });
            const auto roles = on_line(lines_, item.line, [&] { return read_ids(item.object); });
            const auto current = roles_now.find(user.id);
            const bool same_roles = !roles || (current == roles_now.end() ? roles->empty() : *roles == current->second);
            if (!same_roles) memberships.emplace_back(user.id, *roles);
            if (row && !same_roles) changes_.record(user.id, *roles, current == roles_now.end() ? Roles() : current->second);
            if (settle_update(user, row, row && fields::same_fields<identity::User>(identity::user_fields(), user, *row), now_)) {
                changed.push_back(user);
                if (row && ends_sessions(user, *row)) signed_out.push_back(user.id);
                if (row) changes_.record(user, *row);
            } else if (same_roles) {
                ++result.unchanged;
                continue;
            }
            ++(row ? result.changed : result.added);
        }
        writer_.write(changed);
        for (const auto& id : signed_out) identity::Sessions(connection_).end_all(id);
        for (const auto& [id, roles] : memberships) writer_.set_roles(id, roles, now_);
    }

    const identity::User* match(const Item& item, const std::string& key,
                                const std::map<core::Uuid, const identity::User*>& by_id,
                                const std::map<std::string, const identity::User*>& by_email) const {
        const auto id = item.id ? by_id.find(*item.id) : by_id.end();
        const auto email = by_email.find(key);
        if (email == by_email.end()) return id == by_id.end() ? nullptr : id->second;
        if (item.id && email->second->id != *item.id)
            throw lines_.fault(item.line, "the email " + key + " belongs to the user " + email->second->id.to_string() +
                                              ": leave out the id to update that");
        return email->second;
    }

    identity::User build(const Item& item, const identity::User* row) const {
        identity::User user;
        user.created_at = user.updated_at = now_;
        if (row) user = *row;
        fill(item.object, user);
        user.email = core::trim(user.email);
        user.id = row ? row->id : item.id ? *item.id : core::Uuid::v7(now_);
        return user;
    }

    std::optional<Roles> read_ids(const json::Json& object) {
        const auto by_slug = read_roles(object);
        if (!by_slug) return {};
        Roles roles;
        for (const auto& [slug, role] : *by_slug) {
            auto known = organisations_.find(slug);
            if (known == organisations_.end()) {
                const auto found = identity::Organisations(connection_).find_by_slug(slug);
                if (!found) throw http::invalid_field("organisations", "there is no organisation " + slug);
                known = organisations_.emplace(slug, found->id).first;
            }
            roles.emplace(known->second, role);
        }
        return roles;
    }

    db::Connection& connection_;
    Lines& lines_;
    identity::UserWriter writer_;
    const core::Time now_;
    Changes changes_{connection_, now_};
    Keys keys_;
    std::map<std::string, core::Uuid> organisations_;
};

}  // namespace

Imported import_users(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return UserImport(connection, lines, clock).run();
}

}  // namespace tradepost::ctl
