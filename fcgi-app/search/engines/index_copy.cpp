#include "search/engines/index_copy.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "db/sphinxql.h"
#include "db/sql.h"
#include "search/engines/documents.h"
#include "search/engines/indexer.h"

namespace tradepost::search {
namespace {

constexpr std::size_t page = 2000, senders = 2, most_waiting = 8;
constexpr auto asks = std::chrono::seconds(1);

// Statements that wait to be sent, and the threads that send them. A statement that fails ends all of it.
class Senders {
public:
    explicit Senders(const core::Config::Search& config) {
        for (std::size_t i = 0; i < senders; ++i) threads_.emplace_back([this, &config] { run(config); });
    }
    ~Senders() {
        {
            const std::lock_guard lock(mutex_);
            waiting_.clear();
            ended_ = true;
        }
        changed_.notify_all();
        for (auto& thread : threads_)
            if (thread.joinable()) thread.join();
    }

    void send(std::string statement) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return waiting_.size() < most_waiting || failure_; });
        if (failure_) std::rethrow_exception(failure_);
        waiting_.push_back(std::move(statement));
        changed_.notify_all();
    }

    // Returns once all are sent.
    void finish() {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        changed_.notify_all();
        for (auto& thread : threads_) thread.join();
        threads_.clear();
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    void run(const core::Config::Search& config) try {
        db::SphinxQl server(config, std::chrono::minutes(1));
        while (const auto statement = next()) server.execute(*statement);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        changed_.notify_all();
    }

    std::optional<std::string> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !waiting_.empty() || ended_ || failure_; });
        if (waiting_.empty() || failure_) return {};
        auto statement = std::move(waiting_.front());
        waiting_.pop_front();
        changed_.notify_all();
        return statement;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> waiting_;
    bool ended_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace

std::int64_t copy_rows(db::Connection& connection, const core::Config::Search& config, const SphinxIndex& described,
                       const std::string& index, const std::function<bool()>& may_go_on) {
    Senders sending(config);
    std::int64_t rows = 0;
    auto asked = std::chrono::steady_clock::now();
    for (std::optional<core::Uuid> last;;) {
        if (std::chrono::steady_clock::now() - asked > asks) {
            if (!may_go_on()) throw Interrupted("the index " + index + " is not finished");
            asked = std::chrono::steady_clock::now();
        }
        std::vector<core::Uuid> ids;
        for (const auto& row :
             connection.query("SELECT id FROM " + std::string(described.table()) + " FORCE INDEX (PRIMARY) WHERE " +
                                  (last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                              {last, std::int64_t(page)}))
            ids.push_back(row.uuid(0));
        if (ids.empty()) break;
        last = ids.back();
        std::vector<core::Uuid> found;
        const auto numbers = make_numbers(connection, described.table(), ids);
        for (auto& statement : replacements(connection, described, index, ids, numbers, found))
            sending.send(std::move(statement));
        rows += std::int64_t(found.size());
    }
    sending.finish();
    return rows;
}

}  // namespace tradepost::search
