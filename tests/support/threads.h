// Threads of a test. An exception in a thread arrives in the test's own thread, where Boost.Test reports it. A thread of the standard
// library would end the whole program instead, and all later tests with it.
#pragma once
#include <barrier>
#include <functional>
#include <future>
#include <type_traits>
#include <vector>

namespace tradepost::test {

// Work that runs in a thread of its own until join().
class Thread {
public:
    Thread() = default;
    // Starts `work`. `release` ends what `work` waits for; the destructor calls it if the test has thrown before join().
    explicit Thread(std::function<void()> work, std::function<void()> release = {});
    Thread(Thread&& other) noexcept = default;
    Thread& operator=(Thread&& other) noexcept;
    // Waits for the end of `work`. Reports its exception as an error of the test.
    ~Thread();

    // Waits for the end of `work`. Throws what `work` has thrown.
    void join();
    bool joinable() const { return end_.valid(); }
    // True when `work` has returned or thrown. A loop that waits for a step of `work` must also stop here.
    bool ended() const;

private:
    std::function<void()> release_;
    std::future<void> end_;
};

// Makes the same call in `count` threads at once. The argument is the number of the thread, from 0. Throws the exception of the first
// thread that failed, after all have ended.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& call);

// The same with results, in the order of the threads.
template <class Result>
std::vector<Result> in_parallel(std::size_t count, const std::function<Result(std::size_t)>& call) {
    static_assert(!std::is_same_v<Result, bool>, "threads must not write into one std::vector<bool>");
    std::vector<Result> results(count);
    in_parallel(count, [&](std::size_t i) { results[i] = call(i); });
    return results;
}

// One thread's part in a barrier. A thread that ends, for example by an exception, leaves the barrier, so the others never wait for it.
class Participant {
public:
    explicit Participant(std::barrier<>& barrier) : barrier_(barrier) {}
    ~Participant() { barrier_.arrive_and_drop(); }
    Participant(const Participant&) = delete;
    Participant& operator=(const Participant&) = delete;

    void arrive_and_wait() { barrier_.arrive_and_wait(); }

private:
    std::barrier<>& barrier_;
};

}  // namespace tradepost::test
