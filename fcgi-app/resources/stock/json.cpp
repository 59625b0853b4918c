#include "resources/stock/json.h"

#include <algorithm>

#include "json/parse.h"

namespace tradepost::stock {
namespace {

constexpr fields::Rule title_rule = fields::rules::text(max_document_title);

core::Uuid read_upload_id(const std::string& field, const json::Json& value) {
    const auto found = value.find("uploadId");
    if (found == value.end()) throw http::invalid_field(field, "must have an uploadId each");
    const auto id = found->is_string() ? core::Uuid::parse(found->get_ref<const std::string&>()) : std::nullopt;
    if (!id) throw http::invalid_field(field, "uploadId must be a UUID");
    return *id;
}

// A list of uploads, each once. `read` adds to an attachment what else its object has; `names` is what that may be.
template <class Attachment, class Read>
std::vector<Attachment> read_attachments(const std::string& field, const json::Json& value, std::size_t most,
                                         std::initializer_list<std::string_view> names, Read&& read) {
    if (value.is_null()) return {};
    if (!value.is_array()) throw http::invalid_field(field, "must be a list of objects");
    if (value.size() > most) throw http::invalid_field(field, "must hold at most " + std::to_string(most) + " " + field);
    std::vector<Attachment> attachments;
    for (const auto& item : value) {
        if (!item.is_object()) throw http::invalid_field(field, "must be a list of objects");
        for (const auto& [name, member] : item.items())
            if (std::find(names.begin(), names.end(), name) == names.end()) throw http::unknown_field(field + "." + name);
        Attachment attachment;
        attachment.upload_id = read_upload_id(field, item);
        if (std::any_of(attachments.begin(), attachments.end(),
                        [&](const auto& other) { return other.upload_id == attachment.upload_id; }))
            throw http::invalid_field(field, "must not hold an upload twice");
        read(attachment, item);
        attachments.push_back(std::move(attachment));
    }
    return attachments;
}

std::vector<StockItem::Image> read_images(const json::Json& value) {
    return read_attachments<StockItem::Image>("images", value, max_images, {"uploadId", "url", "thumbnailUrl"},
                                              [](StockItem::Image&, const json::Json&) {});
}

std::vector<StockItem::Document> read_documents(const json::Json& value) {
    return read_attachments<StockItem::Document>("documents", value, max_documents, {"uploadId", "title", "url"},
                                                 [](StockItem::Document& document, const json::Json& item) {
                                                     const auto title = item.find("title");
                                                     if (title == item.end() || title->is_null()) return;
                                                     if (!title->is_string())
                                                         throw http::invalid_field("documents", "title must be a string");
                                                     const auto& text = title->get_ref<const std::string&>();
                                                     if (const auto why = fields::fault(title_rule, text))
                                                         throw http::invalid_field("documents", "title " + *why);
                                                     document.title = text;
                                                 });
}

}  // namespace

void read_stock_item(const json::Json& body, StockItem& item, fields::Reading reading,
                     std::initializer_list<std::string_view> others) {
    fields::refuse_unknown(body, stock_fields(), others);
    fields::read_fields(body, stock_fields(), item, reading);
    if (const auto images = body.find("images"); images != body.end()) item.images = read_images(*images);
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
