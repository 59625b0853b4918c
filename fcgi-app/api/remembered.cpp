#include "api/remembered.h"

namespace tradepost::api {

void Remembered::forget(std::list<Node>::iterator node) {
    size_ -= cost(*node);
    index_.erase(node->key);
    nodes_.erase(node);
}

const Remembered::Entry* Remembered::find(const std::string& key, std::uint64_t version, core::Time now) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    const auto node = found->second;
    const Entry& entry = node->entry;
    if (entry.version != version || now < entry.since || (entry.count.valid_until && now >= *entry.count.valid_until)) {
        forget(node);
        return nullptr;
    }
    nodes_.splice(nodes_.begin(), nodes_, node);
    return &node->entry;
}

void Remembered::put(const std::string& key, Entry entry) {
    if (const auto found = index_.find(key); found != index_.end()) forget(found->second);
    entry.body.shrink_to_fit();  // it grew by doubling
    nodes_.push_front({key, std::move(entry)});
    if (cost(nodes_.front()) > capacity_ / 4) {  // one answer must not push out all others
        nodes_.pop_front();
        return;
    }
    index_.emplace(nodes_.front().key, nodes_.begin());
    size_ += cost(nodes_.front());
    while (size_ > capacity_ && !nodes_.empty()) forget(std::prev(nodes_.end()));
}

}  // namespace tradepost::api
