// AUTH and TLS, against a real Redis server with certificates of a CA of our own.
#define BOOST_TEST_DYN_LINK
#include <sys/socket.h>

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "limits/redis.h"
#include "support/held_port.h"
#include "support/process.h"
#include "unit/limits_redis_server.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace tradepost::limits;
using namespace tradepost::limits::test;

namespace {

constexpr RedisTimeouts patient{std::chrono::seconds(20), std::chrono::seconds(20)};

struct Fixture {
    Fixture() { make_certificates(); }

    void openssl(const std::string& arguments) {
        const auto done = tradepost::test::run_command({"sh", "-c", "cd '" + folder.path.string() + "' && openssl " + arguments});
        BOOST_REQUIRE_MESSAGE(done.code == 0, done.err);
    }
    void make_certificates() {
        for (const std::string ca : {"ca", "other-ca"})
            openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=" + ca + " -keyout " +
                    ca + ".key -out " + ca + ".pem");
        for (const auto& [name, names, days] : {std::tuple{"good", "DNS:localhost,IP:127.0.0.1", "2"},
                                                {"elsewhere", "DNS:elsewhere.example,IP:127.0.0.9", "2"},
                                                {"expired", "DNS:localhost,IP:127.0.0.1", "0"}}) {
            const std::string file = name;
            std::ofstream(folder / (file + ".ext")) << "subjectAltName=" << names << "\n";
            openssl("req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=redis -keyout " + file + ".key -out " +
                    file + ".csr && openssl x509 -req -in " + file + ".csr -CA ca.pem -CAkey ca.key -set_serial 7 -days " + days +
                    " -extfile " + file + ".ext -out " + file + ".pem");
        }
    }

    std::unique_ptr<RedisServer> serve(const std::string& certificate = "good") {
        return std::make_unique<RedisServer>(
            folder.path.string(),
            std::vector<std::string>{"--port", "0", "--bind", "127.0.0.1", "--tls-port", port, "--tls-cert-file",
                                     folder / (certificate + ".pem"), "--tls-key-file", folder / (certificate + ".key"),
                                     "--tls-ca-cert-file", folder / "ca.pem", "--tls-auth-clients", "no"});
    }
    // Requests that pass of five, two of which a limit would let pass; and the log's lines.
    struct Result {
        int allowed = 0, warnings = 0;
        bool counted = false;
    };
    Result ask(const std::string& server, const RedisAccess& access, const std::string& reason = "rate_limits_not_counted") {
        const CapturedLog log;
        RedisLimiter limiter(server, "test", clock, timeouts, access);
        Result result;
        for (int i = 0; i < 5; ++i) {
            const auto verdict = limiter.count("class", "key", per_minute(2));
            result.allowed += verdict.allowed;
            result.counted = result.counted || !verdict.allowed;
            clock.advance(std::chrono::seconds(2));  // past the pause after a failure
        }
        result.warnings = log.lines_with(reason);
        BOOST_TEST(log.lines_with("hidden") == 0);
        BOOST_TEST(log.lines_with("level=warning") == result.warnings);
        return result;
    }
    void check_counts(const std::string& server, const RedisAccess& access) {
        const auto result = ask(server, access);
        BOOST_TEST(result.allowed == 2);
        BOOST_TEST(result.counted);
        BOOST_TEST(result.warnings == 0);
    }
    // All requests pass, and one line says why.
    void check_refused(const std::string& server, const RedisAccess& access, const std::string& reason) {
        const auto result = ask(server, access, reason);
        BOOST_TEST(result.allowed == 5);
        BOOST_TEST(!result.counted);
        BOOST_TEST(result.warnings == 1, reason);
    }
    RedisAccess tls(const std::string& ca = "ca") { return {"", "", true, folder / (ca + ".pem")}; }

    TemporaryFolder folder;
    core::ManualClock clock{start};
    RedisTimeouts timeouts = patient;
    tradepost::test::HeldPort held;
    std::string port = std::to_string(held.number());
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_redis_access, Fixture)

BOOST_AUTO_TEST_CASE(a_user_and_its_password) {
    RedisServer server(folder.path.string());
    BOOST_TEST(server.command("ACL SETUSER counter on >hidden ~tradepost:* +eval +evalsha +set +get +incr +pttl") == "OK");
    check_refused(server.socket, {"counter", "wrong", false, ""}, "WRONGPASS");
    check_refused(server.socket, {"nobody", "hidden", false, ""}, "WRONGPASS");
    check_counts(server.socket, {"counter", "hidden", false, ""});
    BOOST_TEST(server.command("ACL SETUSER counter -evalsha -eval") == "OK");
    check_refused(server.socket, {"counter", "hidden", false, ""}, "NOPERM");
}

BOOST_AUTO_TEST_CASE(the_default_user_s_password) {
    RedisServer server(folder.path.string());
    BOOST_TEST(server.command("CONFIG SET requirepass hidden") == "OK");
    check_refused(server.socket, {}, "NOAUTH");
    check_refused(server.socket, {"", "wrong", false, ""}, "WRONGPASS");
    check_counts(server.socket, {"", "hidden", false, ""});
}

BOOST_AUTO_TEST_CASE(tls_with_a_certificate_for_the_name) {
    const auto server = serve();
    check_counts("localhost:" + port, tls());
    BOOST_TEST(server->command("FLUSHALL") == "OK");
    check_counts("127.0.0.1:" + port, tls());
}

BOOST_AUTO_TEST_CASE(tls_and_a_user) {
    const auto server = serve();
    BOOST_TEST(server->command("ACL SETUSER counter on >hidden ~tradepost:* +eval +evalsha +set +get +incr +pttl") == "OK");
    BOOST_TEST(server->command("ACL SETUSER default -evalsha") == "OK");
    auto access = tls();
    check_refused("localhost:" + port, access, "NOPERM");
    access.user = "counter";
    access.password = "wrong";
    check_refused("localhost:" + port, access, "WRONGPASS");
    access.password = "hidden";
    check_counts("localhost:" + port, access);
}

BOOST_AUTO_TEST_CASE(certificates_that_are_refused) {
    {
        const auto server = serve();
        check_refused("localhost:" + port, tls("other-ca"), "the certificate is refused: ");
        check_refused("localhost:" + port, {"", "", true, ""}, "the certificate is refused: ");  // by the system's CAs
    }
    {
        const auto server = serve("elsewhere");
        check_refused("localhost:" + port, tls(), "the certificate is refused: hostname mismatch");
        check_refused("127.0.0.1:" + port, tls(), "the certificate is refused: IP address mismatch");
    }
    // It ends in the second in which it begins: OpenSSL 3.5 makes none that ends earlier.
    const auto has_expired = [&] {
        return tradepost::test::run_command({"openssl", "x509", "-noout", "-checkend", "0", "-in", folder / "expired.pem"})
                   .code != 0;
    };
    BOOST_TEST(tradepost::test::await(has_expired));
    const auto server = serve("expired");
    check_refused("localhost:" + port, tls(), "the certificate is refused: certificate has expired");
}

BOOST_AUTO_TEST_CASE(one_side_without_tls) {
    RedisServer plain(folder.path.string(), {"--port", port, "--bind", "127.0.0.1"});
    // Redis waits for a line feed. It answers with an error at once if the length of the TLS ClientHello contains one.
    timeouts.answer = std::chrono::milliseconds(300);
    check_refused("localhost:" + port, tls(), "rate_limits_not_counted");
    plain.stop();
    const auto server = serve();
    check_refused("localhost:" + port, {}, "rate_limits_not_counted");
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_answer_the_handshake) {
    BOOST_REQUIRE(listen(held.descriptor(), 16) == 0);
    timeouts.answer = std::chrono::milliseconds(50);
    check_refused("127.0.0.1:" + port, tls(), "no answer in time");
}

// Connections that end between two requests are made again without losing a count, over TLS too.
BOOST_AUTO_TEST_CASE(a_connection_that_was_closed) {
    const auto server = serve();
    const CapturedLog log;
    RedisLimiter limiter("localhost:" + port, "test", clock, patient, tls());
    BOOST_TEST(limiter.count("class", "key", per_minute(3)).remaining == 2u);
    BOOST_TEST(server->command("CLIENT KILL TYPE normal SKIPME yes") == "1");
    BOOST_TEST(limiter.count("class", "key", per_minute(3)).remaining == 1u);
    BOOST_TEST(limiter.count("class", "key", per_minute(3)).remaining == 0u);
    BOOST_TEST(log.lines_with("level=warning") == 0);
}

BOOST_AUTO_TEST_CASE(a_file_of_cas_that_cannot_be_read) {
    std::ofstream(folder / "empty.pem") << "nothing";
    for (const auto* name : {"empty", "missing"})
        BOOST_CHECK_EXCEPTION(RedisLimiter("localhost:1", "test", clock, {}, tls(name)), std::runtime_error,
                              [&](const auto& error) {
                                  return std::string(error.what()) ==
                                         folder / (std::string(name) + ".pem") + ": no certificates of CAs could be read";
                              });
}

BOOST_AUTO_TEST_SUITE_END()
