#include "resources/stock/attachments.h"

#include <algorithm>
#include <map>

#include "core/present.h"
#include "db/bulk_insert.h"
#include "db/sql.h"
#include "http/error.h"
#include "json/parse.h"
#include "resource/rows.h"
#include "resources/uploads/attachments.h"
#include "resources/uploads/fetching.h"
#include "resources/uploads/upload.h"

namespace tradepost::stock {
namespace {

constexpr std::size_t max_images = 40, max_documents = 10;
constexpr std::int64_t max_document_title = 150, max_source_url = 2048;
constexpr fields::Rule title_rule = fields::rules::text(max_document_title);
constexpr fields::Rule source_rule = fields::rules::of(fields::Kind::https_url, max_source_url);

// Calls `read(object)` for each of a list of objects that have no other members than `names`.
template <class Read>
void read_objects(const std::string& field, const json::Json& value, std::size_t most,
                  std::initializer_list<std::string_view> names, Read&& read) {
    if (value.is_null()) return;
    if (!value.is_array()) throw http::invalid_field(field, "must be a list of objects");
    if (value.size() > most) throw http::invalid_field(field, "must hold at most " + std::to_string(most) + " " + field);
    for (const auto& item : value) {
        if (!item.is_object()) throw http::invalid_field(field, "must be a list of objects");
        for (const auto& [name, member] : item.items())
            if (std::find(names.begin(), names.end(), name) == names.end()) throw http::unknown_field(field + "." + name);
        read(item);
    }
}

bool has(const json::Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && !found->is_null();
}

// Throws 400 when one of `before` is the same upload.
template <class Attachment>
core::Uuid read_upload_id(const std::string& field, const json::Json& object, const std::vector<Attachment>& before) {
    const auto& value = object.at("uploadId");
    const auto id = value.is_string() ? core::Uuid::parse(value.get_ref<const std::string&>()) : std::nullopt;
    if (!id) throw http::invalid_field(field, "uploadId must be a UUID");
    if (std::any_of(before.begin(), before.end(), [&](const auto& other) { return other.upload_id == *id; }))
        throw http::invalid_field(field, "must not hold an upload twice");
    return *id;
}

// Empty when there is none; `why` begins with the member's name.
std::optional<std::string> read_text(const std::string& field, const json::Json& object, const char* name,
                                     const fields::Rule& rule) {
    if (!has(object, name)) return {};
    const auto& value = object.at(name);
    if (!value.is_string())
        throw http::invalid_field(field, std::string(name) + " " + std::string(fields::wanted_type(rule.kind)));
    auto text = fields::normalised(rule, value.get_ref<const std::string&>());
    if (const auto wrong = fields::fault(rule, text)) throw http::invalid_field(field, std::string(name) + " " + *wrong);
    return text;
}

// `before`: those of the item as it is. A source that one of them has is not fetched again, unless that failed.
std::vector<StockItem::Image> read_images(const json::Json& value, const std::vector<StockItem::Image>& before) {
    std::vector<StockItem::Image> images;
    const auto names = {std::string_view("uploadId"),  std::string_view("url"),    std::string_view("thumbnailUrl"),
                        std::string_view("sourceUrl"), std::string_view("status"), std::string_view("error")};
    read_objects("images", value, max_images, names, [&](const json::Json& object) {
        StockItem::Image image;
        if (object.contains("uploadId") && (!object.at("uploadId").is_null() || !has(object, "sourceUrl"))) {
            image.upload_id = read_upload_id("images", object, images);
            images.push_back(std::move(image));
            return;
        }
        image.source_url = read_text("images", object, "sourceUrl", source_rule);
        if (!image.source_url) throw http::invalid_field("images", "must have an uploadId or a sourceUrl each");
        const auto same = [&](const auto& other) { return other.source_url == image.source_url; };
        const auto known = std::find_if(before.begin(), before.end(),
                                        [&](const auto& other) { return same(other) && other.status != "FAILED"; });
        if (known != before.end()) image = *known;
        if (std::any_of(images.begin(), images.end(), [&](const auto& other) {
                return same(other) || (known != before.end() && other.upload_id == known->upload_id);
            }))
            throw http::invalid_field("images", "must not hold a sourceUrl twice");
        image.is_new = known == before.end();
        if (image.is_new) image.status = "FETCHING";
        images.push_back(std::move(image));
    });
    return images;
}

std::vector<StockItem::Document> read_documents(const json::Json& value) {
    std::vector<StockItem::Document> documents;
    read_objects("documents", value, max_documents, {"uploadId", "title", "url"}, [&](const json::Json& object) {
        if (!object.contains("uploadId")) throw http::invalid_field("documents", "must have an uploadId each");
        StockItem::Document document;
        document.upload_id = read_upload_id("documents", object, documents);
        document.title = read_text("documents", object, "title", title_rule);
        documents.push_back(std::move(document));
    });
    return documents;
}

}  // namespace

void read_attachments(const json::Json& body, StockItem& item) {
    if (const auto images = body.find("images"); images != body.end()) item.images = read_images(*images, item.images);
    if (const auto documents = body.find("documents"); documents != body.end()) item.documents = read_documents(*documents);
}

void write_attachments(json::Writer& writer, const StockItem& item) {
    writer.name("images").begin_array();
    for (const auto& image : item.images)
        writer.begin_object()
            .member("uploadId", image.upload_id)
            .member("url", image.url)
            .member("thumbnailUrl", image.thumbnail_url)
            .member("sourceUrl", image.source_url)
            .member("status", image.status)
            .member("error", image.error)
            .end_object();
    writer.end_array().name("documents").begin_array();
    for (const auto& document : item.documents)
        writer.begin_object()
            .member("uploadId", document.upload_id)
            .member("title", document.title)
            .member("url", document.url)
            .end_object();
    writer.end_array();
}

namespace {

// `field` as the first of an item's rows has it; the others have no need of it.
std::string in_first_row(std::string list, const std::string& field) {
    return list.replace(list.find(field), field.size(), "IF(i.position > 0 OR d.position > 0, NULL, " + field + ")");
}

// From content_hash, content_type, status, source_url and fetch_error, which begin at `first`.
StockItem::Image read_image(const db::Row& row, const core::Uuid& id, std::size_t first) {
    StockItem::Image image;
    image.upload_id = id;
    image.status = row.text(first + 2);
    image.source_url = row.opt_text(first + 3);
    image.error = row.opt_text(first + 4);
    if (image.status != "READY") return image;
    image.url = uploads::upload_url(row.text(first), row.text(first + 1));
    image.thumbnail_url = uploads::thumbnail_url(row.text(first), row.text(first + 1));
    return image;
}

// From content_hash, content_type, filename and title.
StockItem::Document read_document(const db::Row& row, const core::Uuid& id, std::size_t first) {
    return {id, row.opt_text(first + 3), uploads::download_url(row.text(first), row.text(first + 1), row.text(first + 2))};
}

}  // namespace

const std::string& columns_with_attachments() {
    static const std::string list =
        in_first_row(in_first_row(resource::columns<StockItem>(true), "t.description"), "t.attributes") +
        ", i.position, i.upload_id, u.content_hash, u.content_type, u.status, u.source_url, u.fetch_error, "
        "d.position, d.upload_id, "
        "f.content_hash, f.content_type, f.filename, d.title";
    return list;
}

std::vector<StockItem> read_items(db::Rows& rows) {
    const std::size_t image = 2 + StockItem::described().fields.size(), document = image + 7;
    std::map<core::Uuid, std::map<std::int64_t, StockItem::Image>> images;
    std::map<core::Uuid, std::map<std::int64_t, StockItem::Document>> documents;
    std::vector<StockItem> items;
    for (auto& row : rows) {
        const auto id = row.uuid(0);
        const auto of_image = row.opt_integer(image), of_document = row.opt_integer(document);
        if (of_image) images[id].emplace(*of_image, read_image(row, row.uuid(image + 1), image + 2));
        if (of_document) documents[id].emplace(*of_document, read_document(row, row.uuid(document + 1), document + 2));
        if (of_image.value_or(0) == 0 && of_document.value_or(0) == 0) items.push_back(resource::read<StockItem>(row, true));
    }
    for (auto& item : items) {
        for (auto& [place, each] : images[item.id]) item.images.push_back(std::move(each));
        for (auto& [place, each] : documents[item.id]) item.documents.push_back(std::move(each));
    }
    return items;
}

void add_attachments(db::Connection& connection, std::span<StockItem> items) {
    std::map<core::Uuid, StockItem*> by_id;
    std::vector<core::Uuid> ids;
    for (auto& item : items) {
        by_id[item.id] = &item;
        ids.push_back(item.id);
    }
    const std::span<const core::Uuid> all(ids);
    db::Sql sql;
    const auto add = [&](const std::string& table, const std::string& kind, const std::string& more) {
        sql.add("SELECT STRAIGHT_JOIN a.stock_id, a.upload_id, u.content_hash, u.content_type, " + more + ", " + kind +
                " AS kind, a.position FROM " + table +
                " a FORCE INDEX (PRIMARY) JOIN uploads u FORCE INDEX (PRIMARY) ON u.id = a.upload_id WHERE ")
            .add_in("a.stock_id", all);
    };
    add("stock_images", "0", "u.status AS status, u.source_url AS source_url, u.fetch_error AS fetch_error");
    sql.add(" UNION ALL ");
    add("stock_documents", "1", "u.filename, a.title, NULL");
    sql.add(" ORDER BY stock_id, kind, position");
    for (const auto& row : connection.query(sql)) {
        auto& item = *by_id.at(row.uuid(0));
        if (row.integer(7) == 0)
            item.images.push_back(read_image(row, row.uuid(1), 2));
        else
            item.documents.push_back(read_document(row, row.uuid(1), 2));
    }
}

namespace {

bool same_images(const StockItem& a, const StockItem& b) {
    return std::equal(a.images.begin(), a.images.end(), b.images.begin(), b.images.end(),
                      [](const auto& x, const auto& y) { return x.upload_id == y.upload_id; });
}

bool same_documents(const StockItem& a, const StockItem& b) {
    return std::equal(a.documents.begin(), a.documents.end(), b.documents.begin(), b.documents.end(),
                      [](const auto& x, const auto& y) { return x.upload_id == y.upload_id && x.title == y.title; });
}

}  // namespace

bool same_attachments(const StockItem& a, const StockItem& b) {
    return same_images(a, b) && same_documents(a, b);
}

namespace {

void write_count(json::Writer& writer, std::string_view field, std::size_t before, std::size_t after) {
    writer.begin_object().member("field", field).member("before", std::int64_t(before));
    writer.member("after", std::int64_t(after)).end_object();
}

}  // namespace

void write_differences(json::Writer& writer, const StockItem& before, const StockItem& after) {
    if (!same_images(before, after)) write_count(writer, "images", before.images.size(), after.images.size());
    if (!same_documents(before, after)) write_count(writer, "documents", before.documents.size(), after.documents.size());
}

namespace {

// Uploads that the first shows and the second, which may be null, does not. Without those that are to be made.
std::vector<core::Uuid> only_in(const StockItem* one, const StockItem* other) {
    const auto shown = [](const StockItem* item) {
        std::vector<core::Uuid> ids;
        if (!item) return ids;
        for (const auto& image : item->images)
            if (!image.is_new) ids.push_back(image.upload_id);
        for (const auto& document : item->documents) ids.push_back(document.upload_id);
        return ids;
    };
    auto ids = shown(one);
    for (const auto& id : shown(other)) std::erase(ids, id);
    return ids;
}

const StockItem& or_none(const StockItem* row) {
    static const StockItem none;
    return row ? *row : none;
}

// The attachment of `before`, or null.
template <class Attachment>
const Attachment* find(const std::vector<Attachment>& before, const core::Uuid& upload_id) {
    const auto found = std::find_if(before.begin(), before.end(), [&](const auto& each) { return each.upload_id == upload_id; });
    return found == before.end() ? nullptr : &*found;
}

// Sets the URLs: those of `row` are known, the others are of `usable` ones.
void set_urls(StockItem& item, const StockItem& row, const std::map<core::Uuid, uploads::Attachable>& usable) {
    for (auto& image : item.images) {
        if (image.is_new) continue;
        if (const auto* known = find(row.images, image.upload_id)) {
            image = *known;
            continue;
        }
        const auto found = usable.find(image.upload_id);
        if (found == usable.end() || !uploads::is_image(found->second.content_type))
            throw http::invalid_field("images", "must be READY images of the same organisation");
        image.url = uploads::upload_url(found->second.content_hash, found->second.content_type);
        image.thumbnail_url = uploads::thumbnail_url(found->second.content_hash, found->second.content_type);
    }
    for (auto& document : item.documents) {
        if (const auto* known = find(row.documents, document.upload_id)) {
            document.url = known->url;
            continue;
        }
        const auto found = usable.find(document.upload_id);
        if (found == usable.end() || !uploads::is_document(found->second.content_type))
            throw http::invalid_field("documents", "must be READY PDFs of the same organisation");
        const auto& upload = found->second;
        document.url = uploads::download_url(upload.content_hash, upload.content_type, upload.filename);
    }
}

// Makes the uploads of what is to be fetched.
void begin_fetching(db::Connection& connection, std::span<const StockItem> items) {
    std::vector<uploads::Wanted> wanted;
    for (const auto& item : items)
        for (const auto& image : item.images)
            if (image.is_new) wanted.push_back({image.upload_id, item.organisation_id, core::present(image.source_url)});
    if (!wanted.empty()) uploads::begin_fetching(connection, wanted, items[0].updated_at);
}

void write_images(db::Connection& connection, std::span<const StockItem* const> items) {
    if (items.empty()) return;
    std::vector<db::Value> ids;
    for (const auto* item : items) ids.emplace_back(item->id);
    connection.execute(
        "DELETE t FROM stock_images t FORCE INDEX (PRIMARY) WHERE t.stock_id IN (" + db::placeholders(ids.size()) + ")", ids);
    db::BulkInsert insert(connection, "stock_images (stock_id, position, upload_id)");
    for (const auto* item : items)
        for (std::size_t i = 0; i < item->images.size(); ++i)
            insert.add(db::literal(item->id) + ", " + std::to_string(i) + ", " + db::literal(item->images[i].upload_id));
    insert.flush();
}

void write_documents(db::Connection& connection, std::span<const StockItem* const> items) {
    if (items.empty()) return;
    std::vector<db::Value> ids;
    for (const auto* item : items) ids.emplace_back(item->id);
    connection.execute(
        "DELETE t FROM stock_documents t FORCE INDEX (PRIMARY) WHERE t.stock_id IN (" + db::placeholders(ids.size()) + ")", ids);
    db::BulkInsert insert(connection, "stock_documents (stock_id, position, upload_id, title)");
    for (const auto* item : items)
        for (std::size_t i = 0; i < item->documents.size(); ++i)
            insert.add(db::literal(item->id) + ", " + std::to_string(i) + ", " + db::literal(item->documents[i].upload_id) +
                       ", " + db::literal(item->documents[i].title));
    insert.flush();
}

}  // namespace

void lock_uploads(db::Connection& connection, StockItem& item, const StockItem* row) {
    auto ids = only_in(row, &item);
    const auto added = only_in(&item, row);
    ids.insert(ids.end(), added.begin(), added.end());
    set_urls(item, or_none(row), uploads::Attachments(connection).lock(item.organisation_id, ids));
    for (auto& image : item.images)
        if (image.is_new) image.upload_id = core::Uuid::v7(item.updated_at);
}

void check_uploads(db::Connection& connection, const StockItem& item, const StockItem* row) {
    const auto added = only_in(&item, row);
    if (added.empty()) return;
    auto checked = item;
    set_urls(checked, or_none(row), uploads::Attachments(connection).usable(item.organisation_id, added));
}

void store_attachments(db::Connection& connection, std::span<const StockItem> items, std::span<const StockItem* const> before) {
    std::vector<const StockItem*> with_images, with_documents;
    begin_fetching(connection, items);
    uploads::Attachments attachments(connection);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto& item = items[i];
        const auto* row = before[i];
        const bool images = !same_images(item, or_none(row)), documents = !same_documents(item, or_none(row));
        if (images) with_images.push_back(&item);
        if (documents) with_documents.push_back(&item);
        if (!images && !documents) continue;
        attachments.attach(only_in(&item, row));
        attachments.detach(only_in(row, &item), item.updated_at);
    }
    write_images(connection, with_images);
    write_documents(connection, with_documents);
}

void detach_all(db::Connection& connection, const StockItem& item, core::Time now) {
    const auto shown = only_in(&item, nullptr);
    uploads::Attachments attachments(connection);
    attachments.lock(item.organisation_id, shown);
    attachments.detach(shown, now);
}

}  // namespace tradepost::stock
