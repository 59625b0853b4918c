#include "resources/stock/stock_item.h"

#include <algorithm>
#include <array>

#include "core/text.h"
#include "resource/description.h"
#include "resources/stock/attachments.h"
#include "resources/stock/lists.h"
#include "search/grammar/tokens.h"
#include "webhooks/webhook.h"

namespace tradepost::stock {
namespace {
constexpr std::string_view conditions[] = {"NEW", "USED", "REFURBISHED"};
constexpr std::string_view statuses[] = {"DRAFT", "PUBLISHED", "ARCHIVED"};
constexpr std::string_view availabilities[] = {"DUE_IN", "IN_STOCK", "RESERVED", "SOLD"};
constexpr std::int64_t max_price = 1'000'000'000'000;

std::optional<std::int64_t> negative(const std::optional<std::int64_t>& number) {
    if (!number) return {};
    return -*number;
}
using S = StockItem;

// All but id, organisationId, images and documents.
const fields::Field<S> stock_fields[] = {
    {"reference", fields::rules::reference(fields::Presence::required), &S::reference},
    {"title", fields::rules::required_text(150), &S::title},
    {"description", fields::rules::lines(20000), &S::description},
    {"category", fields::rules::text(80), &S::category},
    {"make", fields::rules::text(80), &S::make},
    {"model", fields::rules::text(80), &S::model},
    {"variant", fields::rules::text(80), &S::variant},
    {"year", fields::rules::integer(1000, 9999), &S::year},
    {"condition", fields::rules::choice(conditions), &S::condition, fields::Use::writable,
     "item_condition"},  // CONDITION is a word of SQL
    {"price", fields::rules::money(max_price, {"currency", true}), &S::price},
    {"currency", fields::rules::of(fields::Kind::currency), &S::currency},
    {"attributes", fields::rules::texts_by_name(50), &S::attributes},
    {"status", fields::rules::choice(statuses, fields::Presence::defaulted), &S::status},
    {"availability", fields::rules::choice(availabilities, fields::Presence::defaulted), &S::availability},
    {"createdAt", fields::rules::time(fields::Presence::defaulted), &S::created_at, fields::Use::read_only},
    {"updatedAt", fields::rules::time(fields::Presence::defaulted), &S::updated_at, fields::Use::read_only},
};

constexpr resource::State states[] = {
    {.name = "DRAFT", .next = {"PUBLISHED"}, .begins = true},
    {.name = "PUBLISHED", .next = {"ARCHIVED"}, .begins = true},
    {.name = "ARCHIVED", .next = {"DRAFT"}, .put_next = "PUBLISHED"},
};

// Published without price or currency.
std::optional<fields::Fault> fault(const StockItem& item) {
    if (item.status != "PUBLISHED") return {};
    static const std::string why = "is required to publish";
    if (!item.price) return fields::Fault{"price", why};
    if (!item.currency) return fields::Fault{"currency", why};
    return {};
}

constexpr writes::Derived<S> derived[] = {
    {"category_key", [](const S& item) { return writes::key_of(item.category); }},
    {"make_key", [](const S& item) { return writes::key_of(item.make); }},
    {"model_key", [](const S& item) { return writes::key_of(item.model); }},
    {"has_images", [](const S& item) { return std::optional<std::int64_t>(!item.images.empty()); }},
    {"price_up", [](const S& item) { return negative(item.price); }},
    {"year_up", [](const S& item) { return negative(item.year); }},
};

// What dealers know a vehicle by, besides their reference. It is found by its beginning, too.
bool is_code(std::string_view attribute) {
    constexpr std::array names{"registration", "vin"};
    const auto folded = core::fold(attribute);
    return std::find(names.begin(), names.end(), folded) != names.end();
}

std::string tokens(const StockItem& item, std::string_view) {
    std::vector<std::string> attributes;
    std::vector<std::string_view> codes{item.reference};
    for (const auto& [name, value] : item.attributes) {
        attributes.push_back(name + " " + value);
        if (is_code(name)) codes.push_back(value);
    }
    std::vector<std::string_view> texts{item.title, item.reference};
    for (const auto* text : {&item.make, &item.model, &item.variant, &item.category, &item.description})
        texts.push_back(core::text_of(*text));
    texts.insert(texts.end(), attributes.begin(), attributes.end());
    return search::index_tokens(texts, codes);
}

// These are not the feed's own.
void keep(StockItem& item, const StockItem& before) {
    item.images = before.images;
    item.documents = before.documents;
    item.status = before.status;
    item.availability = before.availability;
}

void withdraw(StockItem& item) {
    item.status = "ARCHIVED";
}

constexpr std::string_view attachments[] = {"images", "documents"};

}  // namespace

const resource::Description<StockItem>& StockItem::described() {
    static const resource::Description<StockItem> stock{
        .name = "stock",
        .table = "stock_items",
        .singular = "stock",
        .noun = "item",
        .a_new = "a new stock item",
        .things = writes::Things::stock_items,
        .reads = identity::Scope::stock_read,
        .writes = identity::Scope::stock_write,
        .fields = stock_fields,
        .derived = derived,
        .more_members = attachments,
        .states = states,
        .fault = fault,
        .visible = {.status = "PUBLISHED"},  // what anybody may enquire about
        .is_withdrawn = "status = 'ARCHIVED'",
        .owner_index = "stock_items_poll",
        .reference_index = "stock_items_reference",
        .poll_index = "stock_items_poll",
        .member_list = member_list,
        .counts_are_own = true,
        .words = {.searched = words, .tokens = tokens},
        .changed = webhooks::stock_changed,
        .deleted = webhooks::stock_deleted,
        .hooks = {.read_more = read_attachments,
                  .write_more = write_attachments,
                  .complete = add_attachments,
                  .same_more = same_attachments,
                  .write_differences = write_differences,
                  .keep = keep,
                  .withdraw = withdraw,
                  .resolve = lock_uploads,
                  .check = check_uploads,
                  .after_write = store_attachments,
                  .before_remove = detach_all},
    };
    return stock;
}

}  // namespace tradepost::stock
