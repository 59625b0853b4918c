#include "api/stock_fields.h"

#include <algorithm>

namespace tradepost::api {
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

std::vector<domain::StockItem::Image> read_images(const json::Json& value) {
    if (value.is_null()) return {};
    if (!value.is_array()) refuse("must be a list of objects");
    if (value.size() > domain::max_images) refuse("must hold at most " + std::to_string(domain::max_images) + " images");
    std::vector<domain::StockItem::Image> images;
    for (const auto& item : value) {
        const auto id = read_upload_id(item);
        if (std::any_of(images.begin(), images.end(), [&](const auto& image) { return image.upload_id == id; }))
            refuse("must not hold an upload twice");
        images.push_back({id, {}, {}});
    }
    return images;
}

}  // namespace

void read_stock_item(const json::Json& body, domain::StockItem& item, json::Reading reading,
                     std::initializer_list<std::string_view> others) {
    json::refuse_unknown(body, domain::stock_fields(), others);
    json::read_fields(body, domain::stock_fields(), item, reading);
    if (const auto images = body.find("images"); images != body.end()) item.images = read_images(*images);
    if (const auto fault = domain::fault(item)) throw http::invalid_field(std::string(fault->field), fault->why);
}

http::ApiError unusable_image() {
    return http::invalid_field("images", "must be READY images of the same organisation");
}

void write_stock_fields(json::Writer& writer, const domain::StockItem& item) {
    json::write_fields(writer, domain::stock_fields(), item, true);
    writer.name("images").begin_array();
    for (const auto& image : item.images)
        writer.begin_object()
            .member("uploadId", image.upload_id)
            .member("url", image.url)
            .member("thumbnailUrl", image.thumbnail_url)
            .end_object();
    writer.end_array();
}

}  // namespace tradepost::api
