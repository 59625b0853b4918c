#include "resources/stock/json.h"

#include <algorithm>

#include "json/parse.h"

namespace tradepost::stock {
namespace {

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
    const auto wrong = value.is_string() ? fields::fault(rule, value.get_ref<const std::string&>())
                                         : std::optional<std::string>(fields::wanted_type(fields::Kind::text));
    if (wrong) throw http::invalid_field(field, std::string(name) + " " + *wrong);
    return value.get<std::string>();
}

// `before`: those of the item as it is. A source that one of them has is not fetched again, unless that failed.
std::vector<StockItem::Image> read_images(const json::Json& value, const std::vector<StockItem::Image>& before) {
    std::vector<StockItem::Image> images;
    const auto names = {std::string_view("uploadId"), std::string_view("url"), std::string_view("thumbnailUrl"),
                        std::string_view("sourceUrl"), std::string_view("status")};
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

void read_stock_item(const json::Json& body, StockItem& item, fields::Reading reading,
                     std::initializer_list<std::string_view> others) {
    fields::refuse_unknown(body, stock_fields(), others);
    fields::read_fields(body, stock_fields(), item, reading);
    if (const auto images = body.find("images"); images != body.end()) item.images = read_images(*images, item.images);
    if (const auto documents = body.find("documents"); documents != body.end()) item.documents = read_documents(*documents);
    if (const auto found = fault(item)) throw http::invalid_field(std::string(found->field), found->why);
}

StockItem read_put(const json::Json& body, const StockItem& fresh, const StockItem* before) {
    auto item = fresh;
    if (before) {
        item.id = before->id;
        item.images = before->images;
        item.documents = before->documents;
        item.status = before->status;
        item.availability = before->availability;
        item.created_at = before->created_at;
        item.updated_at = before->updated_at;
    }
    read_stock_item(body, item, fields::Reading::create, {"id", "organisationId", "images", "documents"});
    if (!before && !stock_may_begin(item.status))
        throw http::invalid_field("status", "must be DRAFT or PUBLISHED in a new stock item");
    return item;
}

void check_put(const StockItem& item, const StockItem& before) {
    if (!stock_may_be_put(before.status, item.status)) throw http::illegal_move(before.status, item.status);
}

void write(json::Writer& writer, const StockItem& item) {
    writer.begin_object().member("id", item.id).member("organisationId", item.organisation_id);
    write_stock_fields(writer, item);
    writer.end_object();
}

std::string render(const StockItem& item) {
    json::Writer writer;
    write(writer, item);
    return writer.take();
}

void write_stock_fields(json::Writer& writer, const StockItem& item) {
    fields::write_fields(writer, stock_fields(), item, true);
    writer.name("images").begin_array();
    for (const auto& image : item.images)
        writer.begin_object()
            .member("uploadId", image.upload_id)
            .member("url", image.url)
            .member("thumbnailUrl", image.thumbnail_url)
            .member("sourceUrl", image.source_url)
            .member("status", image.status)
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

}  // namespace tradepost::stock
