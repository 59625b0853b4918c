// Access to the members that all items have: structs such as jobs::Job, with `id`, an owner, `created_at` and `updated_at`. `slug`,
// `reference` and `listed` are optional.
#pragma once
#include <optional>
#include <string>
#include <type_traits>

#include "core/uuid.h"
#include "identity/organisations/organisation.h"

namespace tradepost::resource {

// Each item has `static const Description<T>& described()`.
template <class T>
struct Description;

template <class T>
concept has_slug = requires(T item) {
    item.slug;
};

template <class T>
concept has_reference = requires(T item) {
    item.reference;
};

// The public sees some of them: their column `listed`, as it was read. A write derives it anew.
template <class T>
concept is_public_kind = requires(T item) {
    item.listed;
};

// They show their organisation, not only its id.
template <class T>
concept shows_organisation = requires(T item) {
    item.organisation;
};

template <class T>
constexpr bool may_stand_alone() {
    if constexpr (shows_organisation<T>)
        return std::is_same_v<decltype(T::organisation), std::optional<identity::OrganisationSummary>>;
    else
        return false;
}

// The organisation's id; null: it belongs to the marketplace itself.
template <class T>
const core::Uuid* owner(const T& item) {
    if constexpr (!shows_organisation<T>)
        return &item.organisation_id;
    else if constexpr (may_stand_alone<T>())
        return item.organisation ? &item.organisation->id : nullptr;
    else
        return &item.organisation.id;
}

template <class T>
void set_owner(T& item, const identity::OrganisationSummary& organisation) {
    if constexpr (shows_organisation<T>)
        item.organisation = organisation;
    else
        item.organisation_id = organisation.id;
}

// The publisher's own name for it, which is unique in an organisation and compared byte by byte; null: it has none.
template <class T>
const std::string* reference(const T& item) {
    if constexpr (!has_reference<T>)
        return nullptr;
    else if constexpr (std::is_same_v<decltype(T::reference), std::string>)
        return &item.reference;
    else
        return item.reference ? &*item.reference : nullptr;
}

}  // namespace tradepost::resource
