#include "support/threads.h"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <exception>
#include <utility>

namespace tradepost::test {

Thread::Thread(std::function<void()> work, std::function<void()> release)
    : release_(std::move(release)), end_(std::async(std::launch::async, std::move(work))) {}

Thread& Thread::operator=(Thread&& other) noexcept {
    Thread before(std::move(*this));  // its destructor waits
    release_ = std::move(other.release_);
    end_ = std::move(other.end_);
    return *this;
}

Thread::~Thread() {
    if (!joinable()) return;
    try {
        if (release_) release_();
        join();
    } catch (const std::exception& error) {
        BOOST_ERROR("An exception in a thread: " << error.what());
    } catch (...) {
        BOOST_ERROR("A required check failed in a thread");
    }
}

void Thread::join() {
    end_.get();
}

bool Thread::ended() const {
    return !joinable() || end_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& call) {
    std::vector<Thread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&call, i] { call(i); });
    for (auto& thread : threads) thread.join();
}

}  // namespace tradepost::test
