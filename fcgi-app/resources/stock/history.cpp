#include "resources/stock/history.h"

#include "audit/record.h"
#include "fields/differences.h"
#include "versions/collection_versions.h"
#include "writes/history.h"

namespace tradepost::stock {
namespace {

void write_count(json::Writer& writer, std::string_view field, std::size_t before, std::size_t after) {
    writer.begin_object().member("field", field).member("before", std::int64_t(before));
    writer.member("after", std::int64_t(after)).end_object();
}

// Of images and documents it tells how many there are: the same number may mean another order.
std::string differences(const StockItem& before, const StockItem& after) {
    json::Writer writer;
    writer.begin_array();
    fields::write_differences(writer, stock_fields(), before, after);
    if (!same_images(before, after)) write_count(writer, "images", before.images.size(), after.images.size());
    if (!same_documents(before, after)) write_count(writer, "documents", before.documents.size(), after.documents.size());
    return writer.end_array().take();
}

}  // namespace

void record_history(db::Connection& connection, std::span<const StockItem> items,
                    const std::map<core::Uuid, const StockItem*>& row_of) {
    writes::History history(connection, versions::stock_collection, audit::Acting::user());
    for (const auto& item : items) {
        if (const auto row = row_of.find(item.id); row != row_of.end())
            history.changed(item.id, item.updated_at, differences(*row->second, item));
        else
            history.created(item.id, item.updated_at);
    }
    history.flush();
}

}  // namespace tradepost::stock
