#include "support/fixture.h"

#include <fstream>
#include <functional>
#include <stdexcept>

#include "fields/json.h"
#include "identity/organisations/organisations.h"
#include "identity/people/memberships.h"
#include "identity/people/users.h"
#include "identity/tokens/tokens.h"
#include "json/parse.h"
#include "resources/accounts/publication.h"
#include "resources/enquiries/writer.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "resources/stock/stock_item.h"
#include "support/case_match.h"
#include "support/put.h"
#include "versions/collection_versions.h"

namespace tradepost::test {
namespace {

using json::Json;

void each_line(const std::string& path, const std::function<void(const Json&)>& read) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be read");
    int number = 0;
    for (std::string line; std::getline(file, line);) try {
            ++number;
            if (!line.empty()) read(json::parse(line));
        } catch (const http::ApiError& error) {
            throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.external + " " + error.what());
        } catch (const std::exception& error) {
            throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
        }
}

core::Uuid id_of(const Json& object) {
    const auto id = core::Uuid::parse(object.at("id").get<std::string>());
    if (!id) throw std::runtime_error("id is no UUID");
    return *id;
}

core::Time time_of(const Json& object, const char* name) {
    const auto time = core::parse_rfc3339(object.at(name).get<std::string>());
    if (!time) throw std::runtime_error(std::string(name) + " is no time");
    return *time;
}

std::optional<core::Time> opt_time_of(const Json& object, const char* name) {
    if (!object.contains(name)) return {};
    return time_of(object, name);
}

template <class Resource>
std::vector<Resource> read_content(const std::string& path, std::span<const fields::Field<Resource>> fields,
                                   identity::Organisations& organisations) {
    std::vector<Resource> items;
    each_line(path, [&](const Json& object) {
        fields::refuse_unknown(object, fields, {"id", "slug", "organisation"});
        Resource item;
        item.id = id_of(object);
        item.slug = object.at("slug");
        if (const auto slug = object.find("organisation"); slug != object.end() && !slug->is_null()) {
            const auto found = organisations.find_by_slug(slug->get<std::string>());
            if (!found) throw std::runtime_error("no such organisation");
            item.organisation = identity::OrganisationSummary{found->id, found->slug, found->name, found->logo_url};
        }
        fields::read_fields(object, fields, item, fields::Reading::import);
        items.push_back(std::move(item));
    });
    return items;
}

std::vector<stock::StockItem> read_stock(const std::string& path, identity::Organisations& organisations) {
    std::vector<stock::StockItem> items;
    each_line(path, [&](const Json& object) {
        fields::refuse_unknown(object, stock::StockItem::described().fields, {"id", "organisation"});
        stock::StockItem item;
        item.id = id_of(object);
        item.organisation_id = organisations.find_by_slug(object.at("organisation").get<std::string>()).value().id;
        fields::read_fields(object, stock::StockItem::described().fields, item, fields::Reading::import);
        items.push_back(std::move(item));
    });
    return items;
}

void write_users(db::Connection& connection, const std::string& path) {
    identity::Users users(connection);
    identity::Memberships memberships(connection);
    identity::Organisations organisations(connection);
    identity::Tokens tokens(connection);
    each_line(path, [&](const Json& object) {
        identity::User user;
        user.id = id_of(object);
        user.email = object.at("email");
        user.name = object.at("name");
        if (object.contains("passwordHash")) user.password_hash = object.at("passwordHash").get<std::string>();
        user.disabled_at = opt_time_of(object, "disabledAt");
        user.created_at = user.updated_at = time_of(object, "createdAt");
        users.insert(user);
        const auto roles = object.value("organisations", Json::object());
        for (const auto& [slug, role] : roles.items())
            memberships.add(user.id, organisations.find_by_slug(slug)->id, *identity::parse_role(role.get<std::string>()),
                            user.created_at);
        for (const auto& token : object.value("tokens", Json::array())) {
            const auto name = token.contains("name") ? std::optional(token.at("name").get<std::string>()) : std::nullopt;
            connection.execute(
                "INSERT INTO api_tokens (id, user_id, hash, name, created_at, expires_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?, "
                "?)",
                {id_of(token), user.id, db::Binary{identity::token_hash(fixture_token(token.at("token").get<std::string>()))},
                 name, time_of(token, "createdAt"), time_of(token, "createdAt") + identity::token_lifetime,
                 opt_time_of(token, "revokedAt")});
        }
    });
}

void write_enquiries(writes::WriteTransaction& transaction, const std::string& path) {
    enquiries::EnquiryWriter enquiries(transaction);
    identity::Organisations organisations(transaction.connection());
    each_line(path, [&](const Json& object) {
        fields::refuse_unknown(
            object, enquiries::sent_fields(),
            {"id", "organisation", "type", "stockId", "jobId", "fromUserId", "status", "note", "createdAt", "updatedAt"});
        const auto opt_id = [&](const char* name) -> std::optional<core::Uuid> {
            if (!object.contains(name)) return {};
            return core::Uuid::parse(object.at(name).get<std::string>()).value();
        };
        enquiries::Enquiry enquiry;
        enquiry.id = id_of(object);
        enquiry.organisation_id = organisations.find_by_slug(object.at("organisation").get<std::string>()).value().id;
        enquiry.type = object.at("type");
        enquiry.stock_id = opt_id("stockId");
        enquiry.job_id = opt_id("jobId");
        enquiry.from_user_id = opt_id("fromUserId");
        fields::read_fields(object, enquiries::sent_fields(), enquiry, fields::Reading::create);
        fields::read_fields(object, enquiries::worked_fields(), enquiry, fields::Reading::create);
        enquiry.created_at = time_of(object, "createdAt");
        enquiry.updated_at = time_of(object, "updatedAt");
        enquiries.insert(enquiry);
    });
}

}  // namespace

void load_fixture(db::Connection& connection, const std::string& directory) {
    identity::Organisations organisations(connection);
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        std::vector<identity::Organisation> all;
        each_line(directory + "/organisations.ndjson", [&](const Json& object) {
            fields::refuse_unknown(object, identity::organisation_fields(), {"id", "slug"});
            identity::Organisation organisation;
            organisation.id = id_of(object);
            organisation.slug = object.at("slug");
            fields::read_fields(object, identity::organisation_fields(), organisation, fields::Reading::import);
            all.push_back(std::move(organisation));
        });
        accounts::write_organisations(transaction, all);
    });
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        test::put<jobs::Job>(transaction, read_content(directory + "/jobs.ndjson", jobs::Job::described().fields, organisations));
        test::put<events::Event>(transaction,
                                 read_content(directory + "/events.ndjson", events::Event::described().fields, organisations));
        test::put<posts::Post>(transaction,
                               read_content(directory + "/posts.ndjson", posts::Post::described().fields, organisations));
        test::put<stock::StockItem>(transaction, read_stock(directory + "/stock.ndjson", organisations));
        write_users(connection, directory + "/users.ndjson");
        write_enquiries(transaction, directory + "/enquiries.ndjson");
    });
}

}  // namespace tradepost::test
