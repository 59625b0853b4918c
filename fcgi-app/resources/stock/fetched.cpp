#include "resources/stock/fetched.h"

#include <algorithm>

#include "core/present.h"
#include "db/conflict.h"
#include "lists/horizon.h"
#include "resources/stock/writer.h"
#include "resources/uploads/publish.h"
#include "resources/uploads/rows.h"
#include "resources/uploads/upload.h"

namespace tradepost::stock {
namespace {

struct Locked {
    core::Uuid organisation_id;
    core::Time now;               // later than all polls
    std::vector<StockItem> rows;  // that show the upload
};

// The organisation, exclusively, what shows the upload, and the upload. Empty when it is not to be fetched any more.
std::optional<Locked> lock(StockWriter& writer, db::Connection& connection, const core::Clock& clock,
                           const core::Uuid& upload_id) {
    const auto found = connection.query(
        "SELECT o.id, o.polled_until FROM organisations o JOIN uploads u ON u.organisation_id = o.id WHERE u.id = ?",
        {upload_id});
    if (found.empty()) return {};
    Locked locked;
    locked.organisation_id = found[0].uuid(0);
    const auto organisation =
        connection.query("SELECT polled_until FROM organisations WHERE id = ? FOR UPDATE", {locked.organisation_id});
    if (organisation.empty()) return {};
    db::conflict_on(connection, std::span(&locked.organisation_id, 1));
    locked.now = lists::after_polls(clock.now(), organisation[0].opt_time(0));
    std::vector<core::Uuid> ids;
    for (const auto& row : connection.query(
             "SELECT DISTINCT stock_id FROM stock_images FORCE INDEX (stock_images_upload) WHERE upload_id = ?", {upload_id}))
        ids.push_back(row.uuid(0));
    locked.rows = writer.find(ids, {});
    const auto upload = connection.query(
        "SELECT 1 FROM uploads WHERE id = ? AND status = 'FETCHING' AND attachments > 0 FOR UPDATE", {upload_id});
    if (upload.empty()) return {};
    return locked;
}

// The items as they are with this image.
void write(StockWriter& writer, const Locked& locked, const StockItem::Image& image) {
    auto items = locked.rows;
    for (auto& item : items) {
        item.updated_at = std::max(locked.now, item.updated_at + core::milliseconds(1));
        for (auto& each : item.images) {
            if (each.upload_id != image.upload_id) continue;
            each.url = image.url;
            each.thumbnail_url = image.thumbnail_url;
            each.status = image.status;
        }
    }
    writer.write(items, locked.rows, locked.now);
}

}  // namespace

Fetched keep_fetched(db::Connection& connection, const core::Clock& clock, files::Store& store, std::uint64_t quota,
                     const core::Uuid& upload_id, const std::string& content_type, const files::Prepared& prepared) {
    return writes::write(connection, [&](writes::WriteTransaction& transaction) {
        StockWriter writer(transaction);
        const auto locked = lock(writer, connection, clock, upload_id);
        if (!locked) return Fetched::not_wanted;
        if (std::uint64_t(uploads::Uploads(connection).bytes_of(locked->organisation_id) + prepared.size) > quota)
            return Fetched::no_room;
        uploads::publish(store, connection, content_type, prepared);
        connection.execute(
            "UPDATE uploads SET status = 'READY', content_type = ?, content_hash = ?, size = ?, width = ?, height = ? WHERE id = "
            "?",
            {content_type, db::Binary{prepared.content_hash}, prepared.size, prepared.width, prepared.height, upload_id});
        uploads::announce_ready(connection, core::present(uploads::Uploads(connection).find(upload_id)), locked->now);
        StockItem::Image image;
        image.upload_id = upload_id;
        image.url = uploads::upload_url(prepared.content_hash, content_type);
        image.thumbnail_url = uploads::thumbnail_url(prepared.content_hash, content_type);
        write(writer, *locked, image);
        return Fetched::ready;
    });
}

void give_up_fetching(db::Connection& connection, const core::Clock& clock, const core::Uuid& upload_id) {
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        StockWriter writer(transaction);
        const auto locked = lock(writer, connection, clock, upload_id);
        if (!locked) return;
        connection.execute("UPDATE uploads SET status = 'FAILED' WHERE id = ?", {upload_id});
        StockItem::Image image;
        image.upload_id = upload_id;
        image.status = "FAILED";
        write(writer, *locked, image);
    });
}

}  // namespace tradepost::stock
