#include "resources/stock/json.h"

#include <algorithm>

#include "json/parse.h"

namespace tradepost::stock {
namespace {

[[noreturn]] void refuse(const std::string& why) {
    throw http::invalid_field("images", why);
}

core::Uuid read_upload_id(const json::Json& image) {
    if (!image.is_object()) refuse("must be a list of objects");
    for (const auto& [name, value] : image.items())
        if (name != "uploadId" && name != "url" && name != "thumbnailUrl") throw http::unknown_field("images." + name);
    const auto found = image.find("uploadId");
    if (found == image.end()) refuse("must have an uploadId each");
    const auto id = found->is_string() ? core::Uuid::parse(found->get_ref<const std::string&>()) : std::nullopt;
    if (!id) refuse("uploadId must be a UUID");
    return *id;
}

std::vector<StockItem::Image> read_images(const json::Json& value) {
    if (value.is_null()) return {};
    if (!value.is_array()) refuse("must be a list of objects");
    if (value.size() > max_images) refuse("must hold at most " + std::to_string(max_images) + " images");
    std::vector<StockItem::Image> images;
    for (const auto& item : value) {
        const auto id = read_upload_id(item);
        if (std::any_of(images.begin(), images.end(), [&](const auto& image) { return image.upload_id == id; }))
            refuse("must not hold an upload twice");
        images.push_back({id, {}, {}});
    }
    return images;
}

}  // namespace

void read_stock_item(const json::Json& body, StockItem& item, fields::Reading reading,
                     std::initializer_list<std::string_view> others) {
    fields::refuse_unknown(body, stock_fields(), others);
    fields::read_fields(body, stock_fields(), item, reading);
    if (const auto images = body.find("images"); images != body.end()) item.images = read_images(*images);
    if (const auto found = fault(item)) throw http::invalid_field(std::string(found->field), found->why);
}

http::ApiError unusable_image() {
    return http::invalid_field("images", "must be READY images of the same organisation");
}

void write(json::Writer& writer, const StockItem& item) {
    writer.begin_object().member("id", item.id).member("organisationId", item.organisation_id);
    write_stock_fields(writer, item);
    writer.end_object();
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
    writer.end_array();
}

}  // namespace tradepost::stock
