// The response cache of one worker: rendered responses and totals of lists, each valid for one version of its collection.
#pragma once
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/time.h"
#include "versions/total.h"

namespace tradepost::versions {

// Drops the least recently used entries when the sizes add up to more than `capacity` bytes. One object is for one thread.
class ResponseCache {
public:
    explicit ResponseCache(std::size_t capacity) : capacity_(capacity) {}

    // Valid at this version of the collection, from `since` until total.valid_until.
    struct Entry {
        std::uint64_t version = 0;
        core::Time since;
        Total total;
        std::string body;
        std::string tag;  // the body's entity tag
    };

    // Null when there is no valid entry; an invalid one is dropped. The pointer is valid until the next call of put() or find().
    const Entry* find(const std::string& key, std::uint64_t version, core::Time now);

    // Replaces the entry of the key. An entry of more than a quarter of the capacity is not kept.
    void put(const std::string& key, Entry entry);

    std::size_t size() const { return size_; }  // bytes, about

private:
    struct Node {
        std::string key;
        Entry entry;
    };
    static std::size_t cost(const Node& node) { return node.key.size() + node.entry.body.size() + 256; }
    void drop(std::list<Node>::iterator node);

    std::size_t capacity_, size_ = 0;
    std::list<Node> nodes_;  // most recently used first
    std::unordered_map<std::string_view, std::list<Node>::iterator> index_;
};

}  // namespace tradepost::versions
