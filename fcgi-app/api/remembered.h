// What a worker remembers of the public lists: counts and rendered answers, each true for one version of its collection.
#pragma once
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/time.h"
#include "repo/listing.h"

namespace tradepost::api {

// The least recently used are forgotten when their sizes add up to more than `capacity` bytes. Not for several threads.
class Remembered {
public:
    explicit Remembered(std::size_t capacity) : capacity_(capacity) {}

    // True for `version` of the collection, from `since` until count.valid_until.
    struct Entry {
        std::uint64_t version = 0;
        core::Time since;
        repo::Count count;
        std::string body;
        std::string tag;  // the body's entity tag
    };

    // Empty when there is none, or it is not true any more. The pointer holds until the next call of put().
    const Entry* find(const std::string& key, std::uint64_t version, core::Time now);

    void put(const std::string& key, Entry entry);

    std::size_t size() const { return size_; }  // bytes, about

private:
    struct Node {
        std::string key;
        Entry entry;
    };
    static std::size_t cost(const Node& node) { return node.key.size() + node.entry.body.size() + 256; }
    void forget(std::list<Node>::iterator node);

    std::size_t capacity_, size_ = 0;
    std::list<Node> nodes_;  // most recently used first
    std::unordered_map<std::string_view, std::list<Node>::iterator> index_;
};

}  // namespace tradepost::api
