#include "resource/feed/body.h"

#include <algorithm>
#include <cstring>

#include "core/text.h"
#include "files/files.h"
#include "files/intake.h"
#include "files/spool.h"
#include "http/conditional.h"
#include "http/error.h"
#include "resource/feed/gzip.h"

namespace tradepost::feeds {

namespace {

void check_media_type(const http::Request& request) {
    const auto field = request.header("content-type").value_or("");
    if (core::lower_ascii(core::trim(field.substr(0, field.find(';')))) != media_type)
        throw http::ApiError(415, std::string("Content-Type must be ") + media_type);
}

core::FileDescriptor open(const api::Call& call) {
    const auto& path = call.request.body_file;
    if (path.empty()) return core::FileDescriptor();
    try {
        return files::open_incoming(path, call.services.store.incoming(), call.services.config.spool_socket());
    } catch (const std::system_error& error) {
        files::throw_api_error(error);
    }
}

}  // namespace

Body::Body(const api::Call& call) : text_(call.request.body) {
    check_media_type(call.request);
    coding_ = api::content_coding(call.request, api::Coding::gzip);
    if (call.request.body_too_large) throw http::body_too_large();
    file_ = open(call);
    const auto size = file_ ? files::file_size(file_) : text_.size();
    if (size > most_bytes) throw http::body_too_large();
}

Lines Body::lines() const {
    const Lines::Source sent = [this](std::uint64_t offset, char* buffer, std::size_t size) -> std::size_t {
        if (!file_) {
            const auto count = std::min<std::size_t>(size, text_.size() - std::min<std::size_t>(offset, text_.size()));
            if (count > 0) std::memcpy(buffer, text_.data() + offset, count);
            return count;
        }
        const auto count = pread(file_.get(), buffer, size, off_t(offset));
        if (count < 0) files::fail("the body of a feed");
        return std::size_t(count);
    };
    return Lines(coding_ == api::Coding::gzip ? Gunzip(sent, most_bytes) : sent);
}

std::string digest(db::Connection& connection, std::string_view table, std::string_view index,
                   const core::Uuid& organisation_id) {
    const auto half = [](const char* side) {
        return std::string("BIT_XOR(CAST(CONV(") + side + "(SHA2(CONCAT(id, updated_at), 256), 16), 16, 10) AS UNSIGNED))";
    };
    const auto rows = connection.query("SELECT COUNT(*), " + half("LEFT") + ", " + half("RIGHT") + " FROM " + std::string(table) +
                                           " FORCE INDEX (" + std::string(index) + ") WHERE organisation_id = ?",
                                       {organisation_id});
    std::string text = organisation_id.to_string();
    for (std::size_t i = 0; i < 3; ++i) text += " " + rows.at(0).text(i);
    // Lines of jobs show the name, the slug and the logo of the organisation.
    for (const auto& row : connection.query("SELECT slug, name, logo_url FROM organisations WHERE id = ?", {organisation_id}))
        text += " " + row.text(0) + " " + row.text(1) + " " + row.opt_text(2).value_or("");
    return text;
}

std::string tag_of(std::string_view digest) {
    return http::entity_tag("1 " + std::string(digest));  // another number when a line gets another form
}

}  // namespace tradepost::feeds
