// The routes of what organisations publish: jobs, events and posts. `Kind` has what differs:
//   Table, Found         that of the ContentWriter; an item with whether the public may see it
//   public_list(), member_list(), find(connection, id_or_slug, now), json(item), shown_until(item)
//   read(body, item, reading)                      throws 400
//   check_new(transaction, item), check_change(transaction, item, before)   throw what only a writer meets, such as 409
//   settle(item, now)                              what follows from a change that was allowed
//   write(transaction, owner, item), remove(transaction, item, now)
//   record(transaction, item, before)              where it has a history; before is null for a new one
#pragma once
#include "api/write.h"
#include "fields/json.h"
#include "http/error.h"
#include "lists/lists.h"
#include "writes/content_writer.h"
#include "writes/slugs.h"

namespace tradepost::api {

// Whether a list, facets or a detail is asked by a member of the organisation whose rows of `table` these are.
bool is_own_read(const Call& call, std::string_view table);

// The organisation that a list's query names, if the caller is a member of it.
std::optional<core::Uuid> own_list(const Call& call);

bool is_member(const Call& call, const core::Uuid* organisation_id);

// The body's fields over `item`. Throws 400 for the first that is wrong or unknown, and for the fault that `check` finds in the whole.
template <class Resource>
void read_content(const json::Json& body, std::span<const fields::Field<Resource>> fields, Resource& item,
                  fields::Reading reading, std::optional<fields::Fault> (*check)(const Resource&)) {
    fields::refuse_unknown(body, fields, {"id", "slug", "organisation", "organisationId"});
    fields::read_fields(body, fields, item, reading);
    if (const auto found = check(item)) throw http::invalid_field(std::string(found->field), found->why);
}

// What the public sees, or, to a member who names the organisation, all that is its own.
template <class Kind>
http::Response list_content(Call& call) {
    auto& lists = call.services.lists;
    if (const auto own = own_list(call))
        return lists.answer(Kind::member_list(), call.request, call.query, [&] { return std::vector{*own}; });
    return lists.answer(Kind::public_list(), call.request, call.query);
}

template <class Kind>
http::Response content_facets(Call& call) {
    auto& lists = call.services.lists;
    if (const auto own = own_list(call))
        return lists.facets(Kind::member_list(), call.request, call.query, [&] { return std::vector{*own}; });
    return lists.facets(Kind::public_list(), call.request, call.query);
}

template <class Kind>
http::Response get_content(Call& call) {
    std::optional<typename Kind::Found> found;
    auto response = call.services.lists.detail(Kind::Table::name, call.parameters[0], [&]() -> std::optional<lists::Detail> {
        found = Kind::find(call.services.reads, call.parameters[0], call.services.clock.now());
        if (!found || !found->visible) return {};
        return lists::Detail{Kind::json(found->item), Kind::shown_until(found->item)};
    });
    if (response) return *response;
    if (!found || !is_member(call, writes::detail::organisation_id(found->item.organisation))) throw http::not_found();
    auto for_member = http::data(Kind::json(found->item));
    for_member.set("Cache-Control", "private, no-cache");
    return for_member;
}

template <class Kind>
typename Kind::Table::Resource new_content(Call& call, const writes::OwnOrganisation& owner) {
    typename Kind::Table::Resource item;
    item.created_at = item.updated_at = next_update(call, owner);
    item.id = core::Uuid::v7(item.created_at);
    item.organisation = owner.summary;
    return item;
}

// 201 for an item that was read and checked.
template <class Kind>
http::Response add_content(writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner,
                           typename Kind::Table::Resource& item) {
    constexpr auto table = Kind::Table::name;
    Kind::settle(item, item.updated_at);
    item.slug = writes::new_slug(transaction, table, item.title, table.substr(0, table.size() - 1));
    Kind::write(transaction, owner, item);
    if constexpr (requires { Kind::record(transaction, item, nullptr); }) Kind::record(transaction, item, nullptr);
    return created("/api/v1/" + std::string(table) + "/" + item.id.to_string(), Kind::json(item));
}

// The answer to a change; nothing is written when nothing differs.
template <class Kind>
http::Response store_content(Call& call, writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner,
                             typename Kind::Table::Resource& item, const typename Kind::Table::Resource& before) {
    if (fields::same_fields(Kind::Table::fields(), item, before)) return current(Kind::json(before));
    item.updated_at = next_update(call, owner, before.updated_at);
    Kind::settle(item, item.updated_at);
    Kind::write(transaction, owner, item);
    if constexpr (requires { Kind::record(transaction, item, &before); }) Kind::record(transaction, item, &before);
    return current(Kind::json(item));
}

// The answer to a DELETE of the item that was found and is locked, if any.
template <class Kind>
http::Response remove_content(Call& call, writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner,
                              std::vector<typename Kind::Table::Resource> found) {
    if (found.empty()) throw http::not_found();
    found[0].organisation = owner.summary;
    check_if_match(call, Kind::json(found[0]));
    Kind::remove(transaction, found[0], next_update(call, owner, found[0].updated_at));
    return deleted(found[0].id);
}

template <class Kind>
http::Response create_content(Call& call) {
    return create(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = own_organisation(call, transaction);
        auto item = new_content<Kind>(call, owner);
        Kind::read(call.body(), item, fields::Reading::create);
        Kind::check_new(transaction, item);
        return add_content<Kind>(transaction, owner, item);
    });
}

template <class Kind>
http::Response change_content(Call& call) {
    const auto id = path_id(call);
    const auto& body = call.body();
    return change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = owner_of(call, transaction, Kind::Table::name, id);
        auto found = writes::ContentWriter<typename Kind::Table>(transaction).find(std::span(&id, 1), {});
        if (found.empty()) throw http::not_found();
        auto& before = found[0];
        before.organisation = owner.summary;

        auto item = before;
        Kind::read(body, item, fields::Reading::change);
        Kind::check_change(transaction, item, before);
        check_if_match(call, Kind::json(before));
        return store_content<Kind>(call, transaction, owner, item, before);
    });
}

template <class Kind>
http::Response delete_content(Call& call) {
    const auto id = path_id(call);
    return change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = owner_of(call, transaction, Kind::Table::name, id, true);
        writes::ContentWriter<typename Kind::Table> writer(transaction);
        return remove_content<Kind>(call, transaction, owner, writer.find(std::span(&id, 1), {}));
    });
}

}  // namespace tradepost::api
