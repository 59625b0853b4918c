#include "repo/conditions.h"

#include "core/text.h"

namespace tradepost::repo {

void Conditions::add(std::string_view sql, std::initializer_list<db::Value> values) {
    if (sql_ == "1")
        sql_ = sql;
    else
        sql_.append(" AND ").append(sql);
    values_.insert(values_.end(), values);
}

void Conditions::add_folded(std::string_view column, const std::vector<std::string>& texts, std::string_view end) {
    if (texts.empty()) return;
    std::string list;
    for (const auto& text : texts) {
        // A text without a single letter left has no key, and nothing is equal to it.
        const auto& key = kept_.emplace_back(core::fold_key(text));
        list += list.empty() ? "?" : ", ?";
        values_.push_back(key.empty() ? db::Value(nullptr) : db::Value(db::Binary{key}));
    }
    add(std::string(column) + (texts.size() == 1 ? " = " + list : " IN (" + list + ")") + std::string(end));
}

void Conditions::add_texts(std::string_view column, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    std::string list;
    for (const auto& text : texts) {
        list += list.empty() ? "?" : ", ?";
        values_.emplace_back(kept_.emplace_back(text));
    }
    add(std::string(column) + (texts.size() == 1 ? " = " + list : " IN (" + list + ")"));
}

void Conditions::add_ids(std::string_view column, std::span<const core::Uuid> ids) {
    if (ids.empty()) return;
    std::string list;
    for (const auto& id : ids) {
        list += list.empty() ? "?" : ", ?";
        values_.emplace_back(id);
    }
    add(std::string(column) + (ids.size() == 1 ? " = " + list : " IN (" + list + ")"));
}

std::vector<db::Value> Conditions::values(std::initializer_list<db::Value> more) const {
    auto all = values_;
    all.insert(all.end(), more);
    return all;
}

}  // namespace tradepost::repo
