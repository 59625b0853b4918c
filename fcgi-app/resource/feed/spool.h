// The lines of a feed in a file without a name, from which they are sent.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/call.h"
#include "core/file_descriptor.h"

namespace tradepost::feeds {

class Spool {
public:
    // Throws 503 when the disk is full.
    explicit Spool(const api::Call& call);

    // Throws 503 when the disk is full, or the file would be larger than uploads.spool_bytes.
    void add(std::string_view lines);

    // Returns the file piece by piece (http::Response::more), and keeps it until then.
    std::function<std::string()> reader() const;

private:
    std::shared_ptr<const core::FileDescriptor> file_;
    const std::uint64_t most_bytes_;
    std::uint64_t size_ = 0;
};

}  // namespace tradepost::feeds
