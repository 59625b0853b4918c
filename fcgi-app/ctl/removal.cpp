#include "ctl/removal.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>

#include "audit/record.h"
#include "db/failure.h"
#include "identity/people/invitations.h"
#include "identity/people/letter_limits.h"
#include "identity/people/members.h"
#include "identity/people/memberships.h"
#include "identity/tokens/integrations.h"
#include "lists/horizon.h"
#include "outbox/stored.h"
#include "resources/accounts/background.h"
#include "resources/accounts/publication.h"
#include "resources/enquiries/removal.h"
#include "resources/tables.h"
#include "resources/uploads/rows.h"
#include "webhooks/webhooks.h"

namespace tradepost::ctl {
namespace {

constexpr std::int64_t removed_at_once = 100;

// Tables without a description whose rows must be gone before the organisation's.
struct Undescribed {
    const char* table;
    const char* index;
};
constexpr Undescribed enquiries_table{"enquiries", "enquiries_list"}, uploads_table{"uploads", "uploads_organisation"};

class Removal {
public:
    Removal(db::Connection& connection, const core::Clock& clock, files::Store& store, const identity::Organisation& organisation)
        : connection_(connection), clock_(clock), store_(store), id_(organisation.id), slug_(organisation.slug) {}

    std::size_t run() {
        writes::write(connection_, [&](writes::WriteTransaction& transaction) {
            accounts::set_published(transaction, id_, false, clock_.now());
        });
        // First: nobody adds to what is being removed.
        shut_out();
        do {
            remove_webhooks();
            for (const auto& table : resources::tables()) remove_items(table);
            in_batches(enquiries_table, [&](auto ids) { enquiries::remove(connection_, ids); });
            in_batches(uploads_table, [&](auto ids) { remove_uploads(ids); });
            remove_rows("program_failures");
            remove_rows("examination_requests");
            outbox::drop_of_organisation(connection_, id_);
        } while (!remove_row());
        return files_left_;
    }

private:
    // Locks the organisation until the transaction ends. Returns up to when it was polled.
    std::optional<core::Time> hold(const char* how) {
        const auto rows = connection_.query(std::string("SELECT polled_until FROM organisations WHERE id = ? ") + how, {id_});
        db::conflict_on(connection_, std::span(&id_, 1));
        return rows.empty() ? std::nullopt : rows[0].opt_time(0);
    }

    void shut_out() {
        const auto now = clock_.now();
        db::in_transaction(connection_, [&] {
            hold("FOR UPDATE");
            identity::Invitations invitations(connection_);
            for (const auto& each : invitations.of_organisation(id_, now)) invitations.remove(id_, each.id);
        });
        for (const auto& each : identity::Integrations(connection_).of_organisation(id_, now))
            db::in_transaction(connection_, [&] {
                hold("FOR UPDATE");
                accounts::remove_integration(connection_, id_, each.id, clock_.now());
            });
        remove_users_of_integrations();
        for (const auto& each : identity::Members(connection_).of_organisation(id_))
            db::in_transaction(connection_, [&] {
                hold("FOR UPDATE");
                identity::Memberships(connection_).remove(each.user_id, id_, clock_.now());
            });
    }

    // Does what tradepost-deliver would do later, of integrations that were removed before, too: their messages go with the organisation's.
    void remove_users_of_integrations() {
        const outbox::Filter removals{.kind = std::string(accounts::removal_kind)};
        for (const auto& message : outbox::list(connection_, removals, std::numeric_limits<int>::max())) {
            if (message.organisation_id != id_) continue;
            std::optional<std::string> left = message.payload;
            while (left) left = accounts::removal_step(connection_, clock_, *left);
        }
    }

    void remove_webhooks() {
        webhooks::Webhooks webhooks(connection_);
        for (auto all = webhooks.of_organisation(id_); !all.empty(); all = webhooks.of_organisation(id_))
            for (const auto& each : all)
                db::in_transaction(connection_, [&] {
                    hold("FOR UPDATE");
                    webhooks.remove(each.id);
                    audit::record(connection_, clock_.now(),
                                  {.event = audit::Event::webhook_deleted, .target = each.id, .organisation = id_});
                });
    }

    // Calls `remove(ids)` with the organisation's rows, some at a time.
    template <class Remove>
    void in_batches(const Undescribed& from, Remove&& remove) {
        for (;;) {
            std::vector<core::Uuid> ids;
            for (const auto& row : connection_.query("SELECT id FROM " + std::string(from.table) + " FORCE INDEX (" + from.index +
                                                         ") WHERE organisation_id = ? LIMIT ?",
                                                     {id_, removed_at_once}))
                ids.push_back(row.uuid(0));
            if (ids.empty()) return;
            std::sort(ids.begin(), ids.end());
            remove(std::span<const core::Uuid>(ids));
        }
    }

    void remove_items(const resource::Table& table) {
        const std::string name(table.table), index(table.owner_index);
        in_batches({name.c_str(), index.c_str()}, [&](std::span<const core::Uuid> ids) {
            writes::write(connection_, [&](writes::WriteTransaction& transaction) {
                const auto polled_until = hold("LOCK IN SHARE MODE");
                table.remove(transaction, ids, lists::after_polls(clock_.now(), polled_until));
            });
        });
    }

    void remove_uploads(std::span<const core::Uuid> ids) {
        std::set<std::string> hashes;
        uploads::Uploads uploads(connection_);
        db::in_transaction(connection_, [&] {
            hashes.clear();
            for (const auto& id : ids) {
                const auto upload = uploads.lock(id);
                if (!upload) continue;
                uploads.remove(id);
                if (upload->content_hash) hashes.insert(*upload->content_hash);
            }
        });
        for (const auto& hash : hashes) try {
                store_.remove(hash, [&](const auto& asked) { return uploads.referenced(asked); });
            } catch (const std::system_error&) {
                ++files_left_;
            }
    }

    void remove_rows(const std::string& table) {
        const auto remove = [&] {
            return connection_.execute("DELETE FROM " + table + " WHERE organisation_id = ? LIMIT ?", {id_, removed_at_once});
        };
        while (db::in_transaction(connection_, remove) > 0) continue;
    }

    bool has_rows() {
        const auto has = [&](std::string_view table) {
            return !connection_.query("SELECT 1 FROM " + std::string(table) + " WHERE organisation_id = ? LIMIT 1", {id_})
                        .empty();
        };
        const auto tables = resources::tables();
        return has(enquiries_table.table) || has(uploads_table.table) || has("webhooks") ||
               std::any_of(tables.begin(), tables.end(), [&](const auto& each) { return has(each.table); });
    }

    // False when a request or a feed that began before has added something, and was waited for.
    bool remove_row() {
        return db::in_transaction(connection_, [&] {
            hold("FOR UPDATE");
            if (has_rows()) return false;
            identity::LetterLimits(connection_).forget(id_);
            connection_.execute("DELETE FROM conflicts WHERE id = ?", {id_});
            // And what refers to it: memberships, expired invitations, feeds.
            if (connection_.execute("DELETE FROM organisations WHERE id = ?", {id_}) > 0)
                audit::record(connection_, clock_.now(),
                              {.event = audit::Event::organisation_removed, .organisation = id_, .detail = slug_});
            return true;
        });
    }

    db::Connection& connection_;
    const core::Clock& clock_;
    files::Store& store_;
    const core::Uuid id_;
    const std::string slug_;
    std::size_t files_left_ = 0;
};

}  // namespace

std::vector<Belonging> belongings(db::Connection& connection, const core::Uuid& organisation_id) {
    std::vector<Belonging> all;
    const auto count = [&](const std::string& from, const std::string& and_where = "") {
        return connection.query("SELECT COUNT(*) FROM " + from + " WHERE organisation_id = ?" + and_where, {organisation_id})
            .at(0)
            .integer(0);
    };
    for (const auto& table : resources::tables()) {
        const std::string name(table.table);
        all.push_back(
            {std::string(table.name), count(name), table.published.empty() ? 0 : count(name, " AND " + table.published)});
    }
    for (const char* table : {"enquiries", "uploads", "webhooks", "invitations"}) all.push_back({table, count(table)});
    for (const auto& [kind, emails] : {std::pair("integrations", "IS NULL"), std::pair("memberships", "IS NOT NULL")})
        all.push_back({kind, count("memberships m JOIN users u ON u.id = m.user_id", std::string(" AND u.email ") + emails)});
    return all;
}

std::size_t remove_organisation(db::Connection& connection, const core::Clock& clock, files::Store& store,
                                const identity::Organisation& organisation) {
    return Removal(connection, clock, store, organisation).run();
}

}  // namespace tradepost::ctl
