#include "support/fixture.h"

#include <fstream>
#include <functional>
#include <stdexcept>

#include "json/fields.h"
#include "repo/collections.h"
#include "repo/enquiry_writer.h"
#include "repo/event_writer.h"
#include "repo/job_writer.h"
#include "repo/memberships.h"
#include "repo/organisations.h"
#include "repo/post_writer.h"
#include "repo/stock_writer.h"
#include "repo/tokens.h"
#include "repo/users.h"
#include "support/case_match.h"

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
std::vector<Resource> read_content(const std::string& path, std::span<const domain::Field<Resource>> fields,
                                   repo::Organisations& organisations) {
    std::vector<Resource> items;
    each_line(path, [&](const Json& object) {
        json::refuse_unknown(object, fields, {"id", "slug", "organisation"});
        Resource item;
        item.id = id_of(object);
        item.slug = object.at("slug");
        if (const auto slug = object.find("organisation"); slug != object.end() && !slug->is_null()) {
            const auto found = organisations.find_by_slug(slug->get<std::string>());
            if (!found) throw std::runtime_error("no such organisation");
            item.organisation = domain::OrganisationSummary{found->id, found->slug, found->name, found->logo_url};
        }
        json::read_fields(object, fields, item, json::Reading::import);
        items.push_back(std::move(item));
    });
    return items;
}

std::vector<domain::StockItem> read_stock(const std::string& path, repo::Organisations& organisations) {
    std::vector<domain::StockItem> items;
    each_line(path, [&](const Json& object) {
        json::refuse_unknown(object, domain::stock_fields(), {"id", "organisation"});
        domain::StockItem item;
        item.id = id_of(object);
        item.organisation_id = organisations.find_by_slug(object.at("organisation").get<std::string>()).value().id;
        json::read_fields(object, domain::stock_fields(), item, json::Reading::import);
        items.push_back(std::move(item));
    });
    return items;
}

void write_users(db::Connection& connection, const std::string& path) {
    repo::Users users(connection);
    repo::Memberships memberships(connection);
    repo::Organisations organisations(connection);
    repo::Tokens tokens(connection);
    each_line(path, [&](const Json& object) {
        domain::User user;
        user.id = id_of(object);
        user.email = object.at("email");
        user.name = object.at("name");
        if (object.contains("passwordHash")) user.password_hash = object.at("passwordHash").get<std::string>();
        user.disabled_at = opt_time_of(object, "disabledAt");
        user.created_at = user.updated_at = time_of(object, "createdAt");
        users.insert(user);
        const auto roles = object.value("organisations", Json::object());
        for (const auto& [slug, role] : roles.items())
            memberships.add(user.id, organisations.find_by_slug(slug)->id, *domain::parse_role(role.get<std::string>()),
                            user.created_at);
        for (const auto& token : object.value("tokens", Json::array())) {
            const auto name = token.contains("name") ? std::optional(token.at("name").get<std::string>()) : std::nullopt;
            connection.execute(
                "INSERT INTO api_tokens (id, user_id, hash, name, created_at, expires_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?, "
                "?)",
                {id_of(token), user.id, db::Binary{repo::token_hash(fixture_token(token.at("token").get<std::string>()))}, name,
                 time_of(token, "createdAt"), time_of(token, "createdAt") + repo::token_lifetime,
                 opt_time_of(token, "revokedAt")});
        }
    });
}

void write_enquiries(db::Connection& connection, const std::string& path) {
    repo::EnquiryWriter enquiries(connection);
    repo::Organisations organisations(connection);
    each_line(path, [&](const Json& object) {
        json::refuse_unknown(object, domain::sent_fields(),
                             {"id", "organisation", "type", "stockId", "jobId", "fromUserId", "status", "note", "createdAt", "updatedAt"});
        const auto opt_id = [&](const char* name) -> std::optional<core::Uuid> {
            if (!object.contains(name)) return {};
            return core::Uuid::parse(object.at(name).get<std::string>()).value();
        };
        domain::Enquiry enquiry;
        enquiry.id = id_of(object);
        enquiry.organisation_id = organisations.find_by_slug(object.at("organisation").get<std::string>()).value().id;
        enquiry.type = object.at("type");
        enquiry.stock_id = opt_id("stockId");
        enquiry.job_id = opt_id("jobId");
        enquiry.from_user_id = opt_id("fromUserId");
        json::read_fields(object, domain::sent_fields(), enquiry, json::Reading::create);
        json::read_fields(object, domain::worked_fields(), enquiry, json::Reading::create);
        enquiry.created_at = time_of(object, "createdAt");
        enquiry.updated_at = time_of(object, "updatedAt");
        enquiries.insert(enquiry);
    });
    enquiries.finish();
}

}  // namespace

void load_fixture(db::Connection& connection, const std::string& directory) {
    repo::Organisations organisations(connection);
    db::in_transaction(connection, [&] {
        std::vector<domain::Organisation> all;
        each_line(directory + "/organisations.ndjson", [&](const Json& object) {
            json::refuse_unknown(object, domain::organisation_fields(), {"id", "slug"});
            domain::Organisation organisation;
            organisation.id = id_of(object);
            organisation.slug = object.at("slug");
            json::read_fields(object, domain::organisation_fields(), organisation, json::Reading::import);
            all.push_back(std::move(organisation));
        });
        organisations.write(all);
    });
    db::in_transaction(connection, [&] {
        const auto write = [&](auto writer, const auto& items) {
            writer.write(items);
            writer.finish();
        };
        write(repo::JobWriter(connection), read_content(directory + "/jobs.ndjson", domain::job_fields(), organisations));
        write(repo::EventWriter(connection), read_content(directory + "/events.ndjson", domain::event_fields(), organisations));
        write(repo::PostWriter(connection), read_content(directory + "/posts.ndjson", domain::post_fields(), organisations));
        repo::StockWriter stock(connection);
        stock.write(read_stock(directory + "/stock.ndjson", organisations), {}, {});
        stock.finish();
        write_users(connection, directory + "/users.ndjson");
        write_enquiries(connection, directory + "/enquiries.ndjson");
    });
}

}  // namespace tradepost::test
