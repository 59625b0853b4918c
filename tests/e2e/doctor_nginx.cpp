// tradepostctl doctor names each fault between clients and workers that is planted here, and nothing else.
#include <curl/curl.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "core/clock.h"
#include "core/crypto.h"
#include "db/connection.h"
#include "e2e/doctor_checks.h"
#include "identity/diagnosis_pass.h"
#include "identity/instance_keys.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

namespace fs = std::filesystem;

// Self-signed, for that host and these days from `today`.
void make_certificate(const std::string& file, const std::string& key_file, const std::string& host, core::Time today, int begins,
                      int ends) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
    auto* const x = certificate.get();
    const auto seconds = std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::seconds>(today));
    constexpr std::time_t of_day = 86400;
    X509_set_version(x, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
    ASN1_TIME_set(X509_getm_notBefore(x), seconds + begins * of_day);
    ASN1_TIME_set(X509_getm_notAfter(x), seconds + ends * of_day);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(host.c_str()), -1, -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(x));
    X509_set_pubkey(x, key.get());
    auto* const names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + host).c_str());
    X509_add_ext(x, names, -1);
    X509_EXTENSION_free(names);
    BOOST_REQUIRE(X509_sign(x, key.get(), EVP_sha256()) > 0);
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> out(std::fopen(file.c_str(), "w"), std::fclose);
    BOOST_REQUIRE(PEM_write_X509(out.get(), x) == 1);
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> secret(std::fopen(key_file.c_str(), "w"), std::fclose);
    BOOST_REQUIRE(PEM_write_PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(doctor_nginx)

// nginx as another user than the one to whom the socket belongs; what root's could not be refused.
BOOST_AUTO_TEST_CASE(a_socket_of_a_wrong_owner) {
    const auto socket = in_state("run/auth.sock");
    const auto who = run_command({"stat", "-c", "%U:%G", socket}).out;
    const auto belongs =
        "FAIL socket " + socket + ": nginx may not connect to it: it belongs to " + who.substr(0, who.size() - 1);
    const std::string mend = ": give it nginx's group and mode 0660 (SocketGroup= and SocketMode= of its unit)";
    if (geteuid() != 0) {
        fs::permissions(socket, fs::perms(0));
        check_complaints({belongs + ", mode 0000" + mend});
        fs::permissions(socket, fs::perms(0600));
        return;
    }
    for (const auto* other : {"run/api.sock", "run/uploads.sock"}) fs::permissions(in_state(other), fs::perms(0666));
    {
        NginxChanged nginx("nginx/private.conf");
        nginx.replace("user root;", "user nobody nogroup;");
        reload_nginx();
        check_complaints({belongs + ", mode 0600" + mend});
    }
    for (const auto* other : {"run/api.sock", "run/uploads.sock"}) fs::permissions(in_state(other), fs::perms(0600));
}

BOOST_AUTO_TEST_CASE(a_pool_that_does_not_run) {
    const auto before = fault_injection_stack().workers("auth").size();
    fault_injection_stack().sv("stop", "auth");
    const auto done = doctor();
    fault_injection_stack().sv("start", "auth");
    BOOST_TEST(
        complaints(done) == Lines{"FAIL socket " + in_state("run/auth.sock") + ": nobody listens there: start the auth pool"},
        boost::test_tools::per_element());
    BOOST_TEST(fault_injection_stack().await_workers(before, "auth"));
}

BOOST_AUTO_TEST_CASE(a_pool_that_is_asked_instead_of_another) {
    NginxChanged nginx("nginx/snippets/monitoring.conf");
    nginx.replace("/auth.sock", "/api.sock");
    reload_nginx();
    check_complaints(
        {"FAIL auth pool serves what is its own: nginx asks the api pool instead: render its configuration again and "
         "reload it"});
}

BOOST_AUTO_TEST_CASE(authorization_that_is_not_passed_on) {
    const std::string end = " on the way: look for HTTP_AUTHORIZATION in nginx's configuration, and at the proxies before it";
    for (const auto& [value, what] : std::vector<std::pair<std::string, std::string>>{{"\"\"", "lost"}, {"Basic", "changed"}}) {
        NginxChanged nginx("nginx/snippets/fastcgi.conf");
        nginx.append("fastcgi_param HTTP_AUTHORIZATION " + value + ";\n");
        reload_nginx();
        check_complaints({"FAIL Authorization reaches the workers: it is " + what + end});
    }
}

// Behind a proxy that it does not know of.
BOOST_AUTO_TEST_CASE(addresses_that_are_lost) {
    NginxChanged nginx("nginx/private.conf");
    const auto port = std::to_string(fault_injection_stack().site().port());
    std::string proxy;  // a port that is free now
    for (int other = 12000; proxy.empty(); ++other) {
        const auto used = run_command({"bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(other)});
        if (used.code != 0) proxy = std::to_string(other);
    }
    nginx.replace(
        "include " + in_state("nginx/server.conf") + ";",
        "include " + in_state("nginx/server.conf") + ";\n    server {\n        listen 127.0.0.1:" + proxy +
            " ssl;\n        ssl_certificate " + in_state("tls/cert.pem") + ";\n        ssl_certificate_key " +
            in_state("tls/key.pem") + ";\n        client_max_body_size 0;\n        location / {\n            proxy_pass " +
            "https://127.0.0.1:" + port +
            ";\n            proxy_set_header Host localhost;\n            proxy_set_header X-Forwarded-For $remote_addr;\n"
            "        }\n    }\n");
    reload_nginx();
    check_complaints(
        {"FAIL clients' addresses reach the workers: this host asked from 127.83.83.83 and they saw 127.0.0.1: name the "
         "proxy in between in [http] trusted_proxies, and render nginx's configuration again"},
        {"--url", "https://localhost:" + proxy + "/"});
}

BOOST_AUTO_TEST_CASE(addresses_that_anybody_can_forge) {
    NginxChanged nginx("nginx/server.conf");
    nginx.replace("server_tokens off;", "server_tokens off; set_real_ip_from 0.0.0.0/0; real_ip_header X-Forwarded-For;");
    reload_nginx();
    check_complaints(
        {"FAIL nobody can forge an address: X-Forwarded-For of 127.83.83.83 was believed: set_real_ip_from must name your "
         "proxies only, and they must add to that header"});
}

BOOST_AUTO_TEST_CASE(bodies_that_are_too_small_in_nginx) {
    const std::string end = ": refused with 413: nginx, and each proxy before it, needs client_max_body_size ";
    {
        NginxChanged nginx("nginx/server.conf");
        nginx.replace("client_max_body_size 12m;", "client_max_body_size 1m;");
        reload_nginx();
        check_complaints({"FAIL 12 MiB may be sent to /api/v1/uploads" + end + "12m there"});
    }
    NginxChanged nginx("nginx/snippets/uploads.conf");
    nginx.replace("client_max_body_size 50m;", "client_max_body_size 49m;");
    reload_nginx();
    check_complaints({"FAIL 50 MiB may be sent with a ticket" + end + "50m there"});
}

// Read from the files, so nginx need not have read them.
BOOST_AUTO_TEST_CASE(fewer_connections_than_clients_may_take) {
    const auto file = in_state("nginx/private.conf");
    {
        Changed main("nginx/private.conf");
        main.replace("worker_connections 2048;", "worker_connections 1599; # worker_connections 4096;");
        check_complaints({"WARN nginx has connections for more than one client: worker_connections is 1599 in " + file +
                          ", and one client may take 800: set at least 1600"});
    }
    {
        Changed limits("nginx/snippets/flood.conf");
        limits.replace("limit_conn tradepost_client_connections 400;", "limit_conn tradepost_client_connections 513;");
        check_complaints({"WARN nginx has connections for more than one client: worker_connections is 2048 in " + file +
                          ", and one client may take 1026: set at least 2052"});
    }
}

BOOST_AUTO_TEST_CASE(fewer_files_than_connections_take) {
    const auto file = in_state("nginx/private.conf");
    const std::string complaint = "WARN nginx may open files for its connections: it may open ";
    Changed main("nginx/private.conf");
    main.replace("events {", "worker_rlimit_nofile 4095;\nevents {");
    check_complaints({complaint + "4095: set worker_rlimit_nofile 4096 in " + file});
    main.replace("worker_rlimit_nofile 4095;", "");
    // What the running one inherited counts then.
    const std::string pid = read_file(in_state("run/nginx.pid"));
    inside({"prlimit", "--pid", pid.substr(0, pid.find('\n')), "--nofile=1000:"});
    check_complaints({complaint + "1000: set worker_rlimit_nofile 4096 in " + file});
    inside({"prlimit", "--pid", pid.substr(0, pid.find('\n')), "--nofile=8192:"});
}

BOOST_AUTO_TEST_CASE(an_instance_that_is_not_there) {
    check_complaints({std::string("FAIL nginx answers at https://localhost:1: ") + curl_easy_strerror(CURLE_COULDNT_CONNECT) +
                      ": let nginx listen there, correct [http] base_url, or name another address with --url"},
                     {"--url", "https://localhost:1"});
}

BOOST_AUTO_TEST_CASE(an_nginx_that_does_not_run) {
    BOOST_TEST_REQUIRE(fault_injection_stack().sv("down", "nginx").code == 0);
    BOOST_TEST_REQUIRE(await([] { return !fs::exists(in_state("run/nginx.pid")); }));
    check_complaints({"FAIL nginx does not run: start it; its error log tells why it ended"});
    BOOST_TEST_REQUIRE(fault_injection_stack().sv("up", "nginx").code == 0);
    BOOST_TEST_REQUIRE(await([] { return doctor().code == 0; }));
}

// Other servers than nginx, or other sites of it, may answer at the address.
BOOST_AUTO_TEST_CASE(certificates) {
    const auto today = core::SystemClock().now();
    const auto day = [&](int days) { return core::to_rfc3339(today + std::chrono::days(days)).substr(0, 10); };
    const auto what = "certificate of " + fault_injection_stack().site().url;
    const std::string renew = ": renew it, as with certbot renew, and run systemctl reload nginx";
    struct Row {
        const char* host;
        int begins, ends;  // days from today
        bool trusted;
        Lines complaints;
    };
    const Row rows[] = {
        {"localhost", -1, 15, true, {}},
        {"localhost", -1, 10, true, {"WARN " + what + " ends on " + day(10) + renew}},
        {"localhost", -10, -1, true, {"FAIL " + what + ": it ended on " + day(-1) + renew}},
        {"localhost", -10, -1, false, {"FAIL " + what + ": it ended on " + day(-1) + renew}},
        {"localhost",
         2,
         100,
         true,
         {"FAIL " + what + ": it begins on " + day(2) + ": correct the clock of this host, or take another certificate"}},
        {"localhost",
         -1,
         100,
         false,
         {"WARN " + what +
          " is not trusted: SSL certificate problem: self-signed certificate: for tests that will do; else take one that a CA "
          "has "
          "issued, with its chain (OPERATORS.md, \"Installation\"), or name the file of your CA with --cacert"}},
        {"other.example",
         -1,
         100,
         true,
         {"FAIL " + what +
          ": it is for another host: put one for this host there (OPERATORS.md, \"Installation\"), or end the other web server "
          "that "
          "answers at this address"}},
    };
    for (const auto& row : rows)
        BOOST_TEST_CONTEXT(row.host << ", " << row.begins << " to " << row.ends << ", trusted " << row.trusted) {
            const auto certificate = in_state("tls/fault.pem"), key = in_state("tls/fault.key");
            make_certificate(certificate, key, row.host, today, row.begins, row.ends);
            NginxChanged nginx("nginx/server.conf");
            nginx.replace(in_state("tls/cert.pem"), certificate);
            nginx.replace(in_state("tls/key.pem"), key);
            reload_nginx();
            check_complaints(row.complaints, row.trusted ? Lines{"--cacert", certificate} : Lines{});
        }
}

// Not by a client of these tests, whose answers must be described.
BOOST_AUTO_TEST_CASE(nobody_else_is_told) {
    db::Connection connection(stack().config().database);
    const auto now = [] { return core::SystemClock().now(); };
    const auto key = identity::InstanceKeys(connection).get(identity::pass_key, now());
    const auto ask = [&](const std::string& pass) {
        return run_command({"curl", "--silent", "--noproxy", "*", "--interface", "127.9.8.7", "--ipv4", "--cacert",
                            stack().site().ca_file, "--header", "Authorization: secret", "--write-out", " %{http_code}",
                            stack().site().url + "/api/v1/diagnosis/api/" + pass})
            .out;
    };
    const std::string nothing = R"({"error":"Not found"} 404)";
    const auto pass = identity::make_pass(key, now());
    const auto told = ask(pass);
    BOOST_TEST(told.starts_with(R"({"data":{"pool":"api","clientAddress":"127.9.8.7","authorization":")" +
                                core::to_hex(core::sha256("secret")) + R"(","searches":{"engine":"mysql","all":)"));
    BOOST_TEST(told.ends_with("}}} 200"));
    BOOST_TEST(ask(pass) == nothing);  // once
    BOOST_TEST(ask(identity::make_pass(key, now() - std::chrono::minutes(2))) == nothing);
    BOOST_TEST(ask(identity::make_pass(core::random_bytes(32), now())) == nothing);
    BOOST_TEST(ask("x") == nothing);
}

BOOST_AUTO_TEST_SUITE_END()
