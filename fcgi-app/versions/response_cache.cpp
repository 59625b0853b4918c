#include "versions/response_cache.h"

namespace tradepost::versions {

void ResponseCache::drop(std::list<Node>::iterator node) {
    size_ -= cost(*node);
    index_.erase(node->key);
    nodes_.erase(node);
}

const ResponseCache::Entry* ResponseCache::find(const std::string& key, std::uint64_t version, core::Time now) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    const auto node = found->second;
    const Entry& entry = node->entry;
    if (entry.version != version || now < entry.since || (entry.total.valid_until && now >= *entry.total.valid_until)) {
        drop(node);
        return nullptr;
    }
    nodes_.splice(nodes_.begin(), nodes_, node);
    return &node->entry;
}

void ResponseCache::put(const std::string& key, Entry entry) {
    if (const auto found = index_.find(key); found != index_.end()) drop(found->second);
    entry.body.shrink_to_fit();  // it grew by doubling
    nodes_.push_front({key, std::move(entry)});
    if (cost(nodes_.front()) > capacity_ / 4) {  // one response must not push out all others
        nodes_.pop_front();
        return;
    }
    index_.emplace(nodes_.front().key, nodes_.begin());
    size_ += cost(nodes_.front());
    while (size_ > capacity_ && !nodes_.empty()) drop(std::prev(nodes_.end()));
}

}  // namespace tradepost::versions
