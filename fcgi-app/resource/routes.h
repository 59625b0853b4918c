// The routes that follow from a description.
#pragma once
#include <string>
#include <vector>

#include "api/content.h"
#include "api/route.h"
#include "resource/feed/get.h"
#include "resource/feed/handlers.h"
#include "resource/feed/put.h"
#include "resource/handlers.h"

namespace tradepost::resource {

// Whether a member asks for a list, facets or an item of the own organisation.
template <class T>
bool is_own_read(const api::Call& call) {
    return api::is_own_read(call, T::described().table);
}

template <class T>
std::vector<api::Route> routes() {
    using namespace api;
    const auto& is = T::described();
    const auto path = "/api/v1/" + std::string(is.name), feed = path + "/feed", deletions_path = path + "/deletions";
    const auto item = path + (has_slug<T> ? "/{idOrSlug}" : "/{id}"), referenced = path + "/by-reference/{reference}";
    Rules shown{.needs = is.reads}, searched{.needs = is.reads, .cost = limits::Cost::search};
    if (is.public_list)
        for (auto* rules : {&shown, &searched}) {
            rules->access = Access::optional;
            rules->limit = RateClass::public_read;
            rules->is_own_read = is_own_read<T>;
        }
    const Rules feeds_rules{.needs = is.writes,
                            .limit = RateClass::exempt,  // /check/X/feed has counted it
                            .cost = limits::Cost::bulk,
                            .pool = Pool::uploads,
                            .parameters = feeds::parameters,
                            .is_tagged = true,
                            .before_body = feeds::check_options};
    auto check_rules = feeds_rules;
    check_rules.limit = RateClass::writes;
    check_rules.cost = limits::Cost::cheap;
    check_rules.pool = Pool::api;
    const Rules written{.needs = is.writes, .body = json_body, .is_tagged = true}, removed{.needs = is.writes, .is_tagged = true};
    return {
        {"GET", path, list<T>, searched},
        {"GET", path + "/facets", facets<T>, searched},
        {"GET", path + "/digest", digest<T>, searched},
        {"GET", deletions_path, deletions<T>, {.needs = is.reads}},
        {"GET", item, get<T>, shown},
        {"POST", path, create<T>, {.needs = is.writes, .body = json_body}},
        {"PATCH", item, change<T>, written},
        {"DELETE", item, remove<T>, removed},
        {"PUT", referenced, put_by_reference<T>, written},
        {"PATCH", referenced, change_by_reference<T>, written},
        {"GET", referenced, get_by_reference<T>, {.needs = is.reads}},
        {"DELETE",
         referenced,
         remove_by_reference<T>,
         {.needs = is.writes, .parameters = organisation_parameter, .is_tagged = true}},
        {"GET", feed, feeds::get<T>, {.needs = is.reads, .cost = limits::Cost::bulk, .pool = Pool::uploads}},
        {"PUT", feed, feeds::put<T>, feeds_rules},
        {"PUT", "/check/" + std::string(is.name) + "/feed", feeds::check_feed, check_rules},
    };
}

}  // namespace tradepost::resource
