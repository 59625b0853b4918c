#include "limits/counter_file.h"

#include <xxhash.h>

#include <cstring>
#include <fstream>
#include <stdexcept>

#include "core/crypto.h"

namespace tradepost::limits {
namespace {

constexpr char magic[8] = {'T', 'P', 'L', 'I', 'M', 'I', 'T', 'S'};
constexpr std::uint32_t version = 1;

std::string boot_id() {
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    return id.substr(0, sizeof(Header::boot_id) - 1);
}

std::uint64_t checksum(const Header& header) {
    return XXH3_64bits(&header, offsetof(Header, checksum));
}

bool is_sound(const Header& header) {
    return std::memcmp(header.magic, magic, sizeof magic) == 0 && header.version == version &&
           header.mutex_bytes == sizeof(pthread_mutex_t) && header.file_bytes == sizeof(Layout) &&
           header.checksum == checksum(header);
}

// A sandbox may hide the boot id from some processes and not from others: unknown counts as the same.
bool is_of_this_boot(const Header& header) {
    const std::string now = boot_id();
    return now.empty() || header.boot_id[0] == '\0' || now == header.boot_id;
}

bool is_ours(const void* address) {
    const auto& header = static_cast<const Layout*>(address)->header;
    return is_sound(header) && is_of_this_boot(header);
}

void initialise(void* address) {
    auto& layout = *static_cast<Layout*>(address);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    for (Lock& lock : layout.locks) pthread_mutex_init(&lock.mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);

    Header header{};
    std::memcpy(header.magic, magic, sizeof magic);
    header.version = version;
    header.mutex_bytes = sizeof(pthread_mutex_t);
    header.file_bytes = sizeof(Layout);
    boot_id().copy(header.boot_id, sizeof header.boot_id - 1);
    const std::string key = core::random_bytes(sizeof header.hash_key);
    std::memcpy(header.hash_key, key.data(), sizeof header.hash_key);
    header.checksum = checksum(header);
    layout.header = header;
}

}  // namespace

CounterFile::CounterFile(const std::string& path) try
    : mapping_(core::SharedMapping::open(path, {sizeof(Layout), initialise, is_ours}, core::SharedMapping::WhenMissing::create)) {
} catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string("rate_limits.file: ") + error.what());
}

CounterFile::State CounterFile::state() const noexcept {
    if (!mapping_->is_whole()) return State::truncated;
    const auto& layout = *static_cast<const Layout*>(mapping_->address());
    return mapping_->is_current() && is_sound(layout.header) ? State::current : State::replaced;
}

void CounterFile::mark_damaged() noexcept {
    layout().header.magic[0] = '\0';
}

}  // namespace tradepost::limits
