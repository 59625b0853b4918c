// A stand-in for a database server with troubles: passes bytes between clients and the real one until told otherwise.
#pragma once
#include <atomic>
#include <list>
#include <mutex>
#include <string>

#include "core/config.h"
#include "support/threads.h"

namespace tradepost::test {

class DatabaseProxy {
public:
    enum class Listen { unix_socket, tcp };  // tcp: a free port of 127.0.0.1

    // `server` must be reached by a Unix socket. Its thread ends with this object.
    explicit DatabaseProxy(const core::Config::Database& server, Listen listen = Listen::unix_socket);
    ~DatabaseProxy();
    DatabaseProxy(const DatabaseProxy&) = delete;
    DatabaseProxy& operator=(const DatabaseProxy&) = delete;

    const core::Config::Database& config() const { return config_; }  // the server's, by way of this proxy

    void freeze();                      // from now on nothing passes, in either direction; connections stay open
    void thaw();                        // what waited passes
    void cut();                         // closes the connections that are open now
    void swallow_next_answer();         // closes the connection that the server answers next, instead of passing the answer
    void refuse_next(int connections);  // as a server that has no more of them: error 1040
    int accepted() const { return accepted_; }

private:
    struct Pair {
        int client;
        int server;
    };
    void run();
    bool pass(int from, int to, bool answer);
    void open_pair();
    void wake();

    core::Config::Database config_;
    std::string directory_;
    std::string server_socket_;
    int listener_ = -1;
    int wake_[2] = {-1, -1};
    std::mutex mutex_;
    std::list<Pair> pairs_;
    bool frozen_ = false;
    bool swallow_ = false;
    bool stop_ = false;
    std::atomic<int> accepted_{0}, refused_{0};
    Thread thread_;
};

}  // namespace tradepost::test
