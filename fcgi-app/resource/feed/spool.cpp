#include "resource/feed/spool.h"

#include <unistd.h>

#include <system_error>

#include "files/intake.h"
#include "files/store.h"
#include "http/error.h"

namespace tradepost::feeds {
namespace {

core::FileDescriptor temporary_file(const api::Call& call) {
    try {
        return call.services.store.temporary_file();
    } catch (const std::system_error& error) {
        files::throw_api_error(error);
    }
}

}  // namespace

Spool::Spool(const api::Call& call)
    : file_(std::make_shared<const core::FileDescriptor>(temporary_file(call))),
      most_bytes_(call.services.config.uploads.spool_bytes) {}

void Spool::add(std::string_view lines) {
    if (size_ + lines.size() > most_bytes_) throw http::service_unavailable("a feed is larger than uploads.spool_bytes");
    while (!lines.empty()) {
        const auto written = pwrite(file_->get(), lines.data(), lines.size(), off_t(size_));
        if (written < 0) {
            const std::system_error error(errno, std::generic_category(), "the file of a feed");
            files::throw_api_error(error);
        }
        lines.remove_prefix(std::size_t(written));
        size_ += std::uint64_t(written);
    }
}

std::function<std::string()> Spool::reader() const {
    return [file = file_, offset = off_t(0)]() mutable {
        constexpr std::size_t piece = 256 << 10;
        std::string bytes(piece, '\0');
        const auto count = pread(file->get(), bytes.data(), bytes.size(), offset);
        if (count < 0) throw std::system_error(errno, std::generic_category(), "the file of a feed");
        bytes.resize(std::size_t(count));
        offset += count;
        return bytes;
    };
}

}  // namespace tradepost::feeds
