// Places and turns at work that processes share: how many of a pool's workers may be there for one key, and how many of them work at once.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "limits/window.h"

namespace tradepost::limits {

// Places and turns are locks on bytes of a file (core/byte_locks.h). One object is for one
// thread, and holds at most one place for a key.
class Turns {
public:
    // No key has more places.
    static constexpr int most_places = 64;

    // The file is created when it is missing. A file that cannot be used lets everybody through, which is logged once a minute.
    Turns(std::string path, const core::Clock& clock) : path_(std::move(path)), warn_(clock, path_) { open_if_replaced(); }

    // A place for a key, and with it the turn. Both end with this object.
    class Place {
    public:
        Place() = default;  // none was needed
        Place(Place&& other) noexcept
            : turns_(std::exchange(other.turns_, nullptr)), first_(other.first_), number_(other.number_) {}
        Place& operator=(Place&& other) noexcept {
            std::swap(turns_, other.turns_);
            std::swap(first_, other.first_);
            std::swap(number_, other.number_);
            return *this;
        }
        ~Place() {
            if (turns_) turns_->unlock(first_);
        }

        int number() const { return number_; }  // from 0: the lowest one that was free

        // Whether this process gets one of `at_once` turns within `longest_wait`. Never throws.
        bool work(int at_once, std::chrono::milliseconds longest_wait) noexcept;

    private:
        friend Turns;
        Place(Turns* turns, off_t first, int number) : turns_(turns), first_(first), number_(number) {}
        Turns* turns_ = nullptr;
        off_t first_ = 0;
        int number_ = 0;
    };

    struct Taken {
        Place place;
        bool taken = true;
    };

    // One of `places` for `key`, at once. `taken` is false when other processes have all of them. Never throws.
    Taken take(std::string_view key, int places) noexcept;

    // Whether other processes have all of these places for `key` in the file `path`. Takes none. Never throws.
    static bool is_full(const std::string& path, std::string_view key, int places) noexcept;

private:
    bool open_if_replaced() noexcept;
    // The number of the byte that was locked, of `count` from `first` on; empty when others have all of them for `longest_wait`, and -1 after a failure.
    std::optional<int> lock_one_of(off_t first, int count, std::chrono::milliseconds longest_wait) noexcept;
    void unlock(off_t first) noexcept;

    std::string path_;
    MinuteWarning warn_;
    core::FileDescriptor file_;
};

}  // namespace tradepost::limits
