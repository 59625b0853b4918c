// Two organisations, their member and somebody who writes to them.
#pragma once
#include <array>
#include <vector>

#include "core/clock.h"
#include "repo/enquiries.h"
#include "repo/enquiry_writer.h"
#include "repo/memberships.h"
#include "repo/organisations.h"
#include "repo/users.h"
#include "support/database.h"

namespace tradepost::test {

struct Enquirers {
    TestDatabase database;
    db::Connection connection{(database.migrate(), database.config())};
    core::Time start = core::SystemClock().now();
    std::array<core::Uuid, 2> organisations{add_organisation("first"), add_organisation("second")};
    core::Uuid member = add_user("member@example.com"), sender = add_user("sender@example.com");

    Enquirers() {
        for (const auto& id : organisations) repo::Memberships(connection).add(member, id, domain::Role::member, start);
    }

    core::Uuid add_organisation(const std::string& slug) {
        domain::Organisation organisation;
        organisation.id = core::Uuid::v7(start);
        organisation.slug = organisation.name = slug;
        organisation.published = true;
        organisation.created_at = organisation.updated_at = start;
        db::in_transaction(connection, [&] { repo::Organisations(connection).write(std::vector{organisation}); });
        return organisation.id;
    }

    core::Uuid add_user(const std::string& email) {
        domain::User user;
        user.id = core::Uuid::v7(start);
        user.email = user.name = email;
        user.created_at = user.updated_at = start;
        repo::Users(connection).insert(user);
        return user.id;
    }

    static domain::Enquiry enquiry(const core::Uuid& organisation, const core::Uuid& from, core::Time time) {
        domain::Enquiry enquiry;
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
