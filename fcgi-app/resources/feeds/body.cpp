#include "resources/feeds/body.h"

#include <algorithm>
#include <cstring>

#include "core/text.h"
#include "files/files.h"
#include "files/intake.h"
#include "files/spool.h"
#include "http/error.h"

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
    if (call.request.body_too_large) throw http::body_too_large();
    file_ = open(call);
    const auto size = file_ ? files::file_size(file_) : text_.size();
    if (size > most_bytes) throw http::body_too_large();
}

Lines Body::lines() const {
    return Lines([this](std::uint64_t offset, char* buffer, std::size_t size) -> std::size_t {
        if (!file_) {
            const auto count = std::min<std::size_t>(size, text_.size() - std::min<std::size_t>(offset, text_.size()));
            if (count > 0) std::memcpy(buffer, text_.data() + offset, count);
            return count;
        }
        const auto count = pread(file_.get(), buffer, size, off_t(offset));
        if (count < 0) files::fail("the body of a feed");
        return std::size_t(count);
    });
}

}  // namespace tradepost::feeds
