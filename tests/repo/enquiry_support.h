// Two organisations, their member and somebody who writes to them.
#pragma once
#include <array>
#include <vector>

#include "core/clock.h"
#include "identity/organisations/organisations.h"
#include "identity/people/memberships.h"
#include "identity/people/users.h"
#include "resources/enquiries/list.h"
#include "resources/enquiries/writer.h"
#include "support/database.h"
#include "support/list_reader.h"

namespace tradepost::test {

struct Enquirers {
    MigratedDatabase database;
    db::Connection connection{database.config()};
    core::Time start = core::SystemClock().now();
    std::array<core::Uuid, 2> organisations{add_organisation("first"), add_organisation("second")};
    core::Uuid member = add_user("member@example.com"), sender = add_user("sender@example.com");

    Enquirers() {
        for (const auto& id : organisations) identity::Memberships(connection).add(member, id, identity::Role::member, start);
    }

    core::Uuid add_organisation(const std::string& slug) {
        identity::Organisation organisation;
        organisation.id = core::Uuid::v7(start);
        organisation.slug = organisation.name = slug;
        organisation.published = true;
        organisation.created_at = organisation.updated_at = start;
        identity::Organisations(connection).write(std::vector{organisation});
        return organisation.id;
    }

    core::Uuid add_user(const std::string& email) {
        identity::User user;
        user.id = core::Uuid::v7(start);
        user.email = user.name = email;
        user.created_at = user.updated_at = start;
        identity::Users(connection).insert(user);
        return user.id;
    }

    lists::Selection received(const std::string& query = {}) const {
        return selected(enquiries::received_list(), query, {organisations.begin(), organisations.end()});
    }
    lists::Selection sent(const std::string& query = {}) const { return selected(enquiries::sent_list(), query, {sender}); }

    static enquiries::Enquiry enquiry(const core::Uuid& organisation, const core::Uuid& from, core::Time time) {
        enquiries::Enquiry enquiry;
        enquiry.id = core::Uuid::v7(time);
        enquiry.organisation_id = organisation;
        enquiry.type = "GENERAL";
        enquiry.from_user_id = from;
        enquiry.name = "S";
        enquiry.message = "?";
        enquiry.created_at = enquiry.updated_at = time;
        return enquiry;
    }
};

}  // namespace tradepost::test
