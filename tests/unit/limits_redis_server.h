// A real server on a Unix socket: Valkey where it is installed, else Redis.
#pragma once
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tradepost::limits::test {

struct RedisServer {
    // `more`: further arguments, such as those for TLS.
    explicit RedisServer(const std::string& folder, std::vector<std::string> more = {"--port", "0"})
        : folder_(folder), socket(folder + "/redis.sock"), more_(std::move(more)) {
        start();
    }
    ~RedisServer() { stop(); }

    void start() {
        pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            const int log = open((folder_ + "/server.log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
            dup2(log, STDOUT_FILENO);
            std::vector<std::string> arguments{"server", "--unixsocket", socket, "--save", "", "--dir", folder_};
            arguments.insert(arguments.end(), more_.begin(), more_.end());
            std::vector<char*> pointers;
            for (auto& argument : arguments) pointers.push_back(argument.data());
            pointers.push_back(nullptr);
            for (const char* program : {"valkey-server", "redis-server"}) execvp(program, pointers.data());
            _exit(127);
        }
        while (command("PING").empty()) {
            BOOST_REQUIRE_MESSAGE(waitpid(pid, nullptr, WNOHANG) == 0, "the server does not start");
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }

    void stop() {
        if (pid <= 0) return;
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
        pid = 0;
        unlink(socket.c_str());
    }

    // The answer as text; empty when there is no server.
    std::string command(const std::string& line) {
        const std::unique_ptr<redisContext, void (*)(redisContext*)> context(redisConnectUnix(socket.c_str()), redisFree);
        if (!context || context->err) return {};
        const std::unique_ptr<void, void (*)(void*)> reply(redisCommand(context.get(), line.c_str()), freeReplyObject);
        if (!reply) return {};
        const auto* found = static_cast<redisReply*>(reply.get());
        if (found->type == REDIS_REPLY_INTEGER) return std::to_string(found->integer);
        if (found->type == REDIS_REPLY_ARRAY) return found->elements ? found->element[0]->str : "";
        return found->str ? std::string(found->str, found->len) : "(nil)";
    }

    std::string folder_, socket;
    std::vector<std::string> more_;
    pid_t pid = 0;
};

}  // namespace tradepost::limits::test
