// The routes that follow from a description: a function for each, to be named in the route table as resource::list<jobs::Job>.
#pragma once
#include "api/content.h"
#include "api/write.h"
#include "core/text.h"
#include "fields/json.h"
#include "http/error.h"
#include "lists/lists.h"
#include "resource/deletions.h"
#include "resource/store.h"
#include "writes/slugs.h"

namespace tradepost::resource {

// The fields of `body` over `item`. Throws 400 for all that are wrong or unknown, or else for what is wrong with the whole.
template <class T>
void read_body(const json::Json& body, T& item, fields::Reading reading) {
    const auto& is = T::described();
    std::vector<std::string_view> others{"id", "organisationId"};
    if constexpr (has_slug<T>) others.push_back("slug");
    if constexpr (shows_organisation<T>) others.push_back("organisation");
    others.insert(others.end(), is.more_members.begin(), is.more_members.end());
    http::Faults faults;
    faults.collect([&] { fields::refuse_unknown<T>(body, is.fields, others); });
    faults.collect([&] { fields::read_fields<T>(body, is.fields, item, reading); });
    if (is.hooks.read_more) faults.collect([&] { is.hooks.read_more(body, item); });
    faults.finish();
    const auto fault = is.fault_in_writing ? is.fault_in_writing : is.fault;
    if (const auto found = fault ? fault(item) : std::nullopt) throw http::invalid_field(std::string(found->field), found->why);
}

template <class T>
void check_beginning(const T& item) {
    const auto& is = T::described();
    if constexpr (requires { item.status; })
        if (!is.states.empty() && !may_begin(is.states, item.status))
            throw http::invalid_field("status", "must be " + beginnings(is.states) + " in " + std::string(is.a_new));
}

// Throws 409 when the state of `item` may not follow that of `before`.
template <class T>
void check_move(const T& item, const T& before, bool by_put) {
    if constexpr (requires { item.status; })
        if (const auto states = T::described().states; !states.empty() && !may_move(states, before.status, item.status, by_put))
            throw http::illegal_move(before.status, item.status);
}

// The item after a PUT by reference or a line of a feed: `body`, which names the reference, replaces `before`, the item that has it.
// `before` is null if there is none; `fresh` is then the new item with its id, organisation and times. Values that Hooks::keep copies stay
// if the body leaves them out. Throws 400 as read_body(), and for a state in which no item begins; see check_move().
template <class T>
T read_put(const json::Json& body, const T& fresh, const T* before) {
    auto item = fresh;
    if (before) {
        item.id = before->id;
        if constexpr (has_slug<T>) item.slug = before->slug;
        item.reference = before->reference;  // it may be older than the rule for texts
        item.created_at = before->created_at;
        item.updated_at = before->updated_at;
        if (T::described().hooks.keep) T::described().hooks.keep(item, *before);
    }
    read_body(body, item, fields::Reading::create);
    if (!reference(item)) throw http::invalid_field("reference", body.contains("reference") ? "must not be null" : "is required");
    if (!before) check_beginning(item);
    return item;
}

template <class T>
T new_item(api::Call& call, const writes::OwnOrganisation& by) {
    T item;
    item.created_at = item.updated_at = api::next_update(call, by);
    item.id = core::Uuid::v7(item.created_at);
    set_owner(item, by.summary);
    return item;
}

template <class T>
http::ApiError reference_is_used() {
    return http::conflict("reference is used by another " + std::string(T::described().noun));
}

template <class T>
void settle(T& item) {
    if (T::described().hooks.settle) T::described().hooks.settle(item, item.updated_at);
}

// Finds, adds, changes and removes items in the transaction of one request.
template <class T>
class Change {
public:
    Change(api::Call& call, writes::WriteTransaction& transaction, writes::OwnOrganisation by)
        : call_(call), transaction_(transaction), by_(std::move(by)), store_(transaction) {
        store_.know(by_.summary, by_.published);
    }

    T fresh() const { return new_item<T>(call_, by_); }

    // The item, locked. Throws 404.
    T find(const core::Uuid& id) { return known(store_.find(std::span(&id, 1))); }
    T find_by_reference(const std::string& reference) { return known(referenced(reference)); }
    std::optional<T> if_referenced(const std::string& reference) {
        auto found = referenced(reference);
        return found.empty() ? std::nullopt : std::optional(known(std::move(found)));
    }

    // 201 for an item that was read and checked. Throws ReferenceTaken.
    http::Response add(T& item) {
        settle(item);
        if constexpr (has_slug<T>) item.slug = writes::new_slug(transaction_, is().table, item.title, is().singular, item.id);
        store_.write(std::span(&item, 1));
        writes::check_room(transaction_, call_.services.config, is().things, by_.summary.id);
        return api::created("/api/v1/" + std::string(is().name) + "/" + item.id.to_string(), render(item));
    }

    // The answer to a change; nothing is written when nothing differs. Throws ReferenceTaken.
    http::Response store(T& item, const T& before) {
        if (same(item, before)) return api::current(render(before));
        item.updated_at = api::next_update(call_, by_, before.updated_at);
        settle(item);
        store_.write(std::span(&item, 1), std::span(&before, 1));
        return api::current(render(item));
    }

    http::Response remove(const T& item) {
        api::check_preconditions(call_, render(item));
        store_.remove(item, api::next_update(call_, by_, item.updated_at));
        return api::deleted(item.id);
    }

    void resolve(T& item, const T* before) {
        if (is().hooks.resolve) is().hooks.resolve(transaction_.connection(), item, before);
    }

    // Throws 409 when another item has the reference.
    void check_reference(const T& item, const T& before) {
        const auto* text = reference(item);
        if (!text) return;
        const auto* known_as = reference(before);
        if ((!known_as || *known_as != *text) && store_.reference_exists(by_.summary.id, *text)) throw reference_is_used<T>();
    }

private:
    static const Description<T>& is() { return T::described(); }

    // None, or one: the one that has it exactly, if there are two.
    std::vector<T> referenced(const std::string& named) {
        auto found = store_.find_by_reference(by_.summary.id, core::reference_forms(named));
        if (found.size() > 1) std::erase_if(found, [&](const T& row) { return *reference(row) != named; });
        return found;
    }
    T known(std::vector<T> found) const {
        if (found.empty()) throw http::not_found();
        set_owner(found[0], by_.summary);
        return std::move(found[0]);
    }

    api::Call& call_;
    writes::WriteTransaction& transaction_;
    const writes::OwnOrganisation by_;
    Store<T> store_;
};

// Runs `answer(list, owners)` for the list that is asked for: what the public sees, or, to a member who names the organisation, all that is
// its own. Where the public sees nothing: that of all organisations of the caller, or of the one that is named.
template <class T, class Answer>
http::Response of_list(api::Call& call, Answer&& answer) {
    const auto& is = T::described();
    const auto named = lists::read_id(call.query, "organisationId");
    if (!is.public_list) return answer(is.member_list(), [&] { return api::own_organisations(call, named); });
    if (named && api::is_member(call, &*named)) return answer(is.member_list(), [&] { return std::vector{*named}; });
    return answer(is.public_list(), std::function<std::vector<core::Uuid>()>());
}

template <class T>
http::Response list(api::Call& call) {
    return of_list<T>(call, [&](const lists::List& list, auto owners) {
        return call.services.lists.answer(list, call.request, call.query, owners);
    });
}

template <class T>
http::Response facets(api::Call& call) {
    return of_list<T>(call, [&](const lists::List& list, auto owners) {
        return call.services.lists.facets(list, call.request, call.query, owners);
    });
}

template <class T>
http::Response digest(api::Call& call) {
    return of_list<T>(call, [&](const lists::List& list, auto owners) {
        return call.services.lists.digest(list, T::described().poll_index, call.request, call.query, owners);
    });
}

template <class T>
http::Response get(api::Call& call) {
    const auto find = [&] { return find_named<T>(call.services.reads, call.parameters[0]); };
    if constexpr (!is_public_kind<T>) {
        const auto item = find();
        if (!item || !api::is_member(call, owner(*item))) throw http::not_found();
        return http::data(render(*item));
    } else {
        const auto& visible = T::described().visible;
        std::optional<T> found;
        auto response =
            call.services.lists.detail(T::described().name, call.parameters[0], [&]() -> std::optional<lists::Detail> {
                found = find();
                if (!found || !found->listed || !visible.shows(*found, call.services.clock.now())) return {};
                return lists::Detail{render(*found), visible.until ? (*found).*visible.until : std::nullopt};
            });
        if (response) return *response;
        if (!found || !api::is_member(call, owner(*found))) throw http::not_found();
        auto for_member = http::data(render(*found));
        for_member.set("Cache-Control", "private, no-cache");
        return for_member;
    }
}

template <class T>
http::Response create(api::Call& call) {
    return api::create(call, [&](writes::WriteTransaction& transaction) {
        Change<T> change(call, transaction, api::own_organisation(call, transaction));
        auto item = change.fresh();
        read_body(call.body(), item, fields::Reading::create);
        check_beginning(item);
        change.resolve(item, nullptr);
        try {
            return change.add(item);
        } catch (const ReferenceTaken&) {
            throw reference_is_used<T>();
        }
    });
}

// PATCH: `before` with what the body names.
template <class T>
http::Response patch(api::Call& call, Change<T>& change, const T& before) {
    auto item = before;
    read_body(call.body(), item, fields::Reading::change);
    change.resolve(item, &before);
    check_move(item, before, false);
    change.check_reference(item, before);
    api::check_preconditions(call, render(before));
    try {
        return change.store(item, before);
    } catch (const ReferenceTaken&) {
        throw reference_is_used<T>();
    }
}

template <class T>
http::Response change(api::Call& call) {
    const auto id = api::path_id(call);
    call.body();
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        Change<T> change(call, transaction, api::owner_of(call, transaction, T::described().table, id));
        return patch(call, change, change.find(id));
    });
}

// The organisation is named as in a PUT by reference; the body may change the reference.
template <class T>
http::Response change_by_reference(api::Call& call) {
    call.body();
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        Change<T> change(call, transaction, api::own_organisation(call, transaction));
        return patch(call, change, change.find_by_reference(call.parameters[0]));
    });
}

template <class T>
http::Response remove(api::Call& call) {
    const auto id = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        Change<T> change(call, transaction, api::owner_of(call, transaction, T::described().table, id, true));
        return change.remove(change.find(id));
    });
}

template <class T>
http::Response deletions(api::Call& call) {
    return list_deletions(call, T::described().name);
}

template <class T>
http::Response get_by_reference(api::Call& call) {
    const auto item = find_referenced<T>(call.services.reads, api::queried_organisation(call), call.parameters[0]);
    if (!item) throw http::not_found();
    return http::data(render(*item));
}

template <class T>
http::Response put_by_reference(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        Change<T> change(call, transaction, api::own_organisation(call, transaction));
        const auto& body = api::body_with_reference(call);
        const auto before = change.if_referenced(call.parameters[0]);
        auto item = read_put(body, change.fresh(), before ? &*before : nullptr);
        change.resolve(item, before ? &*before : nullptr);
        if (!before) {
            api::check_preconditions(call, std::nullopt);
            return change.add(item);
        }
        check_move(item, *before, true);
        api::check_preconditions(call, render(*before));
        return change.store(item, *before);
    });
}

template <class T>
http::Response remove_by_reference(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        Change<T> change(call, transaction, api::queried_organisation(call, transaction, true));
        return change.remove(change.find_by_reference(call.parameters[0]));
    });
}

}  // namespace tradepost::resource
