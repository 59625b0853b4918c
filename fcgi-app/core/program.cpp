#include "core/program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core/crypto.h"
#include "core/file_descriptor.h"

namespace tradepost::core {
namespace {

std::string read_hash() {
    // Names the file that runs, even when an upgrade has put another in its place.
    const FileDescriptor file(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
    if (!file) return {};
    std::string hash;
    struct stat status {};
    if (fstat(file.get(), &status) == 0 && status.st_size > 0) {
        const auto size = std::size_t(status.st_size);
        void* bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
        if (bytes != MAP_FAILED) {
            hash = fast_hash128({static_cast<const char*>(bytes), size});
            munmap(bytes, size);
        }
    }
    return hash;
}

}  // namespace

const std::string& program_hash() {
    static const std::string hash = read_hash();
    return hash;
}

}  // namespace tradepost::core
