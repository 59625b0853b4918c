// The fields of a line of an import, for those who write one.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "ctl/import/import.h"
#include "ctl/output.h"
#include "identity/people/users.h"
#include "resource/description.h"

namespace tradepost::ctl {

using Names = std::vector<std::string_view>;

// The members of a line beside the fields of its resource.
template <class T>
const Names& members_of() {
    static const auto all = [] {
        Names names{"id"};
        if constexpr (resource::has_slug<T>) names.push_back("slug");
        names.push_back("organisation");
        if constexpr (!resource::shows_organisation<T>) names.push_back("organisationId");
        for (const auto name : T::described().more_members) names.push_back(name);
        return names;
    }();
    return all;
}
template <>
const Names& members_of<identity::User>();
template <>
const Names& members_of<identity::Organisation>();

struct ImportKind {
    std::string_view name;
    Importer* run;
    Json (*fields)(std::string_view example);
    const fields::Rule* (*rule)(std::string_view field);  // null for a member of a line that is no field
    std::string_view example;  // a line with every field, which can be imported after those of the kinds before
};

std::span<const ImportKind> import_kinds();

// Throws WrongUsage when there is no such kind.
const ImportKind& import_kind(std::string_view name);

// One object {field, rule, default, example} for each member of a line.
Json import_fields(const ImportKind& kind);

}  // namespace tradepost::ctl
