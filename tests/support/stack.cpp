#include "support/stack.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <stdexcept>

#include "core/crypto.h"
#include "core/text.h"

namespace tradepost::test {
namespace {

std::mutex secrets_mutex;
std::set<std::string> known_secrets;

}  // namespace

Stack::Stack(std::string state) : state_(std::move(state)) {}

Site Stack::site() const {
    return {"https://localhost:" + std::string(core::trim(read_file(state_ + "/port"))), state_ + "/tls/cert.pem"};
}

core::Config Stack::config() const {
    return core::load_config(state_ + "/tradepost.toml");
}

User Stack::demo_user() const {
    const auto line = read_file(state_ + "/demo-sign-in");
    constexpr std::string_view start = "Demo sign-in: ";
    const auto space = line.find(' ', start.size());
    if (!line.starts_with(start) || space == std::string::npos) throw std::runtime_error("no demo sign-in in " + state_);
    User user{line.substr(start.size(), space - start.size()), std::string(core::trim(line.substr(space + 1)))};
    remember_secret(user.password);
    return user;
}

pid_t Stack::service(const std::string& name) const {
    const auto text = read_file(state_ + "/run/" + name + ".pid");
    return text.empty() ? 0 : std::stoi(text);
}

std::string Stack::database() const {
    return std::filesystem::exists(state_ + "/sv/mysql") ? "mysql" : "mariadb";
}

std::vector<pid_t> Stack::workers(const std::string& pool) const {
    return children_of(service(pool));
}

bool Stack::await_workers(std::size_t count, const std::string& pool) const {
    return await([&] { return workers(pool).size() == count && answers(); });
}

bool Stack::answers() const {
    return Client(site()).get("/readyz").status == 200;
}

Finished Stack::ctl(const std::vector<std::string>& arguments, const std::string& input) const {
    std::vector<std::string> all{program_folder() + "/tradepostctl", "--config", state_ + "/tradepost.toml"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_command(all, input);
}

Finished Stack::sv(const std::string& command, const std::string& service) const {
    // TERM only tells; the others are awaited.
    if (command == "term") return run_command({"sv", command, state_ + "/sv/" + service});
    return run_command({"sv", "-w", "30", command, state_ + "/sv/" + service});
}

User Stack::add_user() const {
    User user{"e2e-" + core::to_hex(core::random_bytes(8)) + "@tradepost.example",
              "correct horse " + core::to_hex(core::random_bytes(8))};
    remember_secret(user.password);
    const auto added =
        ctl({"user", "add", "--email", user.email, "--name", "End To End", "--password-stdin"}, user.password + "\n");
    if (added.code != 0) throw std::runtime_error("user add: " + added.err);
    return user;
}

std::string Stack::mint(const User& user, const std::string& name) const {
    const auto minted = ctl({"token", "mint", "--email", user.email, "--name", name});
    if (minted.code != 0) throw std::runtime_error("token mint: " + minted.err);
    std::string token(core::trim(minted.out));
    remember_secret(token);
    return token;
}

std::string Stack::log(const std::string& name) const {
    return read_file(state_ + "/log/" + name + ".log");
}

std::string Stack::line_of(const std::string& request_id) const {
    std::string line;
    await([&] {
        for (const auto* pool : {"api", "auth", "uploads"}) {
            const auto text = log(pool);
            const auto at = text.find("id=" + request_id + " ");
            if (at == std::string::npos) continue;
            const auto begin = text.rfind('\n', at) + 1, end = text.find('\n', at);
            if (end != std::string::npos) line = text.substr(begin, end - begin);
        }
        return !line.empty();
    });
    return line;
}

pid_t Stack::served_by(const std::string& request_id) const {
    const auto line = line_of(request_id);
    const auto field = line.find(" worker=");
    return field == std::string::npos ? 0 : std::stoi(line.substr(field + 8));
}

int Stack::lines_with(const std::string& name, std::string_view text) const {
    const auto all = log(name);
    int found = 0;
    for (auto at = all.find(text); at != std::string::npos; at = all.find(text, at + text.size())) ++found;
    return found;
}

Stack& stack() {
    static Stack one = [] {
        const char* state = std::getenv("TRADEPOST_TEST_STATE");
        if (!state || !*state || !std::filesystem::exists(std::string(state) + "/port"))
            throw std::runtime_error("TRADEPOST_TEST_STATE must name the folder of a running stack: use tests/run, or make up");
        Stack made(state);
        const char* url = std::getenv("TRADEPOST_TEST_URL");
        if (url && *url && made.site().url != url)
            throw std::runtime_error("TRADEPOST_TEST_URL is not the address of TRADEPOST_TEST_STATE");
        return made;
    }();
    return one;
}

std::string program_folder() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
}

void remember_secret(const std::string& secret) {
    const std::lock_guard lock(secrets_mutex);
    known_secrets.insert(secret);
}

std::set<std::string> secrets() {
    const std::lock_guard lock(secrets_mutex);
    return known_secrets;
}

}  // namespace tradepost::test
