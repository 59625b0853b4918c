// Headers on their way through nginx: request ids, compression, long Link headers; and the versions of HTTP and TLS.
#include <curl/curl.h>

#include "e2e/checks.h"

using namespace tradepost::test;

BOOST_AUTO_TEST_SUITE(nginx_headers)

// By the application (/healthz, a 401), or by nginx (/nothing).
BOOST_AUTO_TEST_CASE(a_sound_request_id_is_kept_by_whoever_answers) {
    Client client(stack().site());
    for (const std::string& id : {std::string("a"), std::string("Az09._-"), std::string(128, 'x')})
        for (const auto* target : {"/healthz", "/api/v1/me", "/nothing"}) BOOST_TEST_CONTEXT(target << " " << id) {
                const auto answer = client.send({.target = target, .headers = {{"X-Request-Id", id}}});
                BOOST_TEST(answer.header("x-request-id").value_or("") == id);
                BOOST_TEST(answer.count("x-request-id") == 1u);
            }
}

BOOST_AUTO_TEST_CASE(another_request_id_is_replaced) {
    Client client(stack().site());
    for (const std::string& id : {std::string("a b"), std::string("a/b"), std::string("ä"), std::string(129, 'x'),
                                  std::string("a\"b"), std::string("a=b"), std::string("<x>")})
        for (const auto* target : {"/healthz", "/nothing"}) BOOST_TEST_CONTEXT(target << " " << id) {
                const auto answer = client.send({.target = target, .headers = {{"X-Request-Id", id}}});
                BOOST_TEST(answer.header("x-request-id").value_or(id) != id);
                check_conventions(answer);
            }
}

BOOST_AUTO_TEST_CASE(the_worker_logs_the_id_that_the_client_got) {
    const auto id = Client(stack().site()).get("/healthz").header("x-request-id").value_or("");
    BOOST_TEST(stack().served_by(id) != 0);
}

// nginx weakens the tag of what it compresses; it still names the same answer.
BOOST_AUTO_TEST_CASE(a_weakened_tag_matches) {
    Client client(stack().site());
    for (const auto* target : {"/api/v1/jobs", "/api/v1/events", "/api/v1/posts", "/api/v1/openapi.yaml", "/api/v1/openapi.json"})
        BOOST_TEST_CONTEXT(target) {
            const auto full = client.send({.target = target, .gzip = true});
            BOOST_TEST(full.status == 200);
            BOOST_TEST(full.header("content-encoding").value_or("") == "gzip");
            BOOST_TEST(full.header("vary").value_or("").find("Accept-Encoding") != std::string::npos);
            const auto tag = full.header("etag").value_or("");
            BOOST_REQUIRE(tag.starts_with("W/\""));
            for (const std::string& field : {tag, tag.substr(2), "\"other\", " + tag, std::string("*")})
                for (const bool gzip : {false, true}) BOOST_TEST_CONTEXT("If-None-Match: " << field) {
                        const auto again = client.send({.target = target, .headers = {{"If-None-Match", field}}, .gzip = gzip});
                        BOOST_TEST(again.status == 304);
                        BOOST_TEST(again.body == "");
                        BOOST_TEST(again.count("etag") == 1u);
                    }
            BOOST_TEST(client.send({.target = target, .headers = {{"If-None-Match", "\"other\""}}}).status == 200);
        }
}

BOOST_AUTO_TEST_CASE(compressed_and_plain_are_the_same_bytes) {
    Client client(stack().site());
    const auto plain = client.send({.target = "/api/v1/jobs?limit=100"});
    BOOST_TEST(!plain.header("content-encoding"));
    BOOST_TEST(client.send({.target = "/api/v1/jobs?limit=100", .gzip = true}).body == plain.body);
}

// Four Link headers of 1800 bytes of q each.
BOOST_AUTO_TEST_CASE(a_q_of_200_cjk_letters_gets_its_links) {
    std::string q;
    for (int i = 0; i < 200; ++i) q += "%E8%BB%8A";
    for (const bool http2 : {false, true}) {
        Client client(stack().site());
        const auto answer =
            until_served([&] { return client.send({.target = "/api/v1/posts?page=2&limit=1&q=" + q, .http2 = http2}); });
        BOOST_TEST(answer.status == 200);
        check_conventions(answer);
        std::string links;
        for (const auto& [name, value] : answer.headers)
            if (name == "link") links += value + ", ";
        BOOST_TEST(links.find("rel=\"first\"") != std::string::npos);
        BOOST_TEST(links.find(q) != std::string::npos);
        check_refused(client.send({.target = "/api/v1/posts?q=" + q + "%E8%BB%8A", .http2 = http2}), 400, "Invalid query");
    }
}

BOOST_AUTO_TEST_CASE(both_versions_of_http_answer_the_same) {
    Client first(stack().site()), second(stack().site());
    for (const auto* target : {"/healthz", "/api/v1/jobs?limit=3", "/api/v1/me", "/nothing", "/api/v1/jobs?page=0"})
        BOOST_TEST_CONTEXT(target) {
            const auto one = first.send({.target = target, .http2 = false});
            const auto two = second.send({.target = target, .http2 = true});
            BOOST_TEST(one.version == "1.1");
            BOOST_TEST(two.version == "2");
            BOOST_TEST(one.status == two.status);
            BOOST_TEST(one.body == two.body);
        }
}

BOOST_AUTO_TEST_CASE(answers_bear_hsts) {
    Client client(stack().site());
    for (const auto* target : {"/healthz", "/nothing", "/api/v1/jobs%00"})
        BOOST_TEST(client.get(target).header("strict-transport-security").value_or("").starts_with("max-age="));
}

BOOST_AUTO_TEST_CASE(tls_1_2_and_1_3_only) {
    const auto connects = [](long version, long highest) {
        CURL* const curl = curl_easy_init();
        const auto site = stack().site();
        const std::string url = site.url + "/healthz";
        curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
        curl_easy_setopt(curl, CURLOPT_CAINFO, site.ca_file.c_str());
        curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
        curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
        curl_easy_setopt(curl, CURLOPT_SSLVERSION, version | highest);
        // OpenSSL would not offer the old versions at its usual level, and the server's refusal would not be seen.
        curl_easy_setopt(curl, CURLOPT_SSL_CIPHER_LIST, "DEFAULT:@SECLEVEL=0");
        const auto code = curl_easy_perform(curl);
        curl_easy_cleanup(curl);
        return code == CURLE_OK;
    };
    BOOST_TEST(!connects(CURL_SSLVERSION_TLSv1_0, CURL_SSLVERSION_MAX_TLSv1_0));
    BOOST_TEST(!connects(CURL_SSLVERSION_TLSv1_1, CURL_SSLVERSION_MAX_TLSv1_1));
    BOOST_TEST(connects(CURL_SSLVERSION_TLSv1_2, CURL_SSLVERSION_MAX_TLSv1_2));
    BOOST_TEST(connects(CURL_SSLVERSION_TLSv1_3, CURL_SSLVERSION_MAX_TLSv1_3));
}

// ChaCha20 goes first for a client that names it first.
BOOST_AUTO_TEST_CASE(the_strongest_cipher_is_chosen) {
    const auto chosen = [](const std::string& version, const std::string& ciphers) {
        const auto site = stack().site();
        const auto done =
            run_command({"openssl", "s_client", "-connect", site.url.substr(site.url.find("://") + 3), "-brief", "-CAfile",
                         site.ca_file, version, version == "-tls1_3" ? "-ciphersuites" : "-cipher", ciphers});
        const std::string before = "Ciphersuite: ";
        const auto begin = done.err.find(before);
        BOOST_REQUIRE_MESSAGE(begin != std::string::npos, done.err);
        return done.err.substr(begin + before.size(), done.err.find('\n', begin) - begin - before.size());
    };
    BOOST_TEST(chosen("-tls1_2", "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES256-GCM-SHA384") ==
               "ECDHE-ECDSA-AES256-GCM-SHA384");
    BOOST_TEST(chosen("-tls1_2", "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES256-GCM-SHA384") ==
               "ECDHE-ECDSA-CHACHA20-POLY1305");
    BOOST_TEST(chosen("-tls1_3", "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384") == "TLS_AES_256_GCM_SHA384");
    BOOST_TEST(chosen("-tls1_3", "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384") == "TLS_CHACHA20_POLY1305_SHA256");
}

BOOST_AUTO_TEST_CASE(the_description_is_served) {
    const auto answer = Client(stack().site()).get("/api/v1/openapi.yaml");
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.header("content-type").value_or("") == "application/yaml");
    BOOST_TEST(answer.header("content-security-policy").value_or("") == "default-src 'none'; frame-ancestors 'none'");
    BOOST_TEST(answer.body.find("openapi: 3.1") != std::string::npos);
}

// The same description, from the same server, with the same headers.
BOOST_AUTO_TEST_CASE(the_description_is_served_as_json_too) {
    Client client(stack().site());
    const auto answer = client.get("/api/v1/openapi.json");
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.header("content-type").value_or("") == "application/json; charset=utf-8");
    const auto yaml = client.get("/api/v1/openapi.yaml");
    for (const auto* name : {"content-security-policy", "access-control-allow-origin", "cache-control", "x-content-type-options"})
        BOOST_TEST(answer.header(name).value_or("") == yaml.header(name).value_or("missing"), name);
    const auto root = answer.json();
    BOOST_TEST(root["openapi"] == "3.1.0");
    BOOST_TEST(root["paths"]["/api/v1/openapi.json"]["get"]["operationId"] == "getDescriptionAsJson");
    BOOST_TEST(root["paths"]["/api/v1/jobs"]["get"]["responses"].contains("200"));
}

BOOST_AUTO_TEST_CASE(the_reference_lets_nothing_foreign_in) {
    const auto answer = raw_exchange(stack().site(), "GET /docs/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.header("content-type").value_or("") == "text/html; charset=utf-8");
    BOOST_TEST(answer.header("cache-control").value_or("") == "public, max-age=0, must-revalidate");
    BOOST_TEST(answer.header("content-security-policy").value_or("") ==
               "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
               "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
               "trusted-types 'none'");
}

BOOST_AUTO_TEST_SUITE_END()
