// tradepostctl import laravel and import wordpress: the rows of another database, by mapping files.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "repo/application.h"
#include "repo/ctl_support.h"
#include "repo/foreign_schemas.h"

using namespace tradepost;

namespace {

constexpr const char* php_bcrypt = "$2y$04$LmAR2p.qcM7AqzakWYJ1VO6F2t2aeaC6A3VcOvGvYMtzLa3WPcNBy";
constexpr const char* phpass = "$P$BabcdefghKfdE7H4Uy7ajxpijsjAJW0";
constexpr const char* wordpress_hash = "$wp$2y$04$rl5uU.kdirWBjpVdah4kwOvQURN0Eka4CRzKaewPD1mW2KoOibPsa";

struct Fixture : test::CtlFixture {
    test::TestDatabase foreign;
    db::Connection other{foreign.config()};
    db::Held held{other};
    std::string password_file = path + ".password", map_path = path + ".map.toml";

    Fixture() {
        other.execute("SET SESSION sql_mode = ''");  // as these programs have it, for dates of zeros
        std::ofstream(password_file) << foreign.config().password << "\n";
    }
    ~Fixture() {
        unlink(password_file.c_str());
        unlink(map_path.c_str());
    }

    std::string dsn() const {
        const auto& c = foreign.config();
        return "mysql://" + c.user + "@" +
               (c.socket.empty() ? c.host + ":" + std::to_string(c.port) + "/" + c.name
                                 : "localhost/" + c.name + "?socket=" + c.socket);
    }
    test::CtlResult arrive(const std::string& program, std::vector<std::string> options = {}) {
        std::vector<std::string> arguments{"import",          program,       "--dsn",          dsn(),
                                           "--password-file", password_file, "--organisation", "north-tractors"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return ctl(arguments);
    }
    // With a mapping of this text.
    test::CtlResult by(const std::string& map, std::vector<std::string> options = {}) {
        std::ofstream(map_path) << map;
        options.insert(options.begin(), {"--map", map_path});
        return arrive("laravel", std::move(options));
    }
    // The line on standard error, without the name of the mapping.
    std::string refusal(const std::string& map, std::vector<std::string> options = {}) {
        auto error = by(map, std::move(options)).error;
        for (auto at = error.find(map_path); at != std::string::npos; at = error.find(map_path))
            error.replace(at, map_path.size(), "MAP");
        return error;
    }

    // The status of a sign-in by the API.
    int sign_in(const std::string& email, const std::string& password) {
        core::Config settings;
        settings.database = database.config();
        settings.auth.argon2_memory_kib = 8192;
        settings.auth.argon2_passes = 1;
        App app(settings, system_clock, limiter);
        http::Request request;
        request.method = "POST";
        request.target = "/api/v1/auth";
        request.headers = {{"content-type", "application/json"}};
        request.body = json::Json{{"email", email}, {"password", password}}.dump();
        return app.handle(request).status;
    }
    std::string hash_of(const std::string& email) { return value("password_hash FROM users WHERE email = '" + email + "'"); }
    std::string roles_of(const std::string& email) {
        return value(
            "GROUP_CONCAT(o.slug, ' ', m.role ORDER BY o.slug) FROM users u JOIN memberships m ON m.user_id = u.id "
            "JOIN organisations o ON o.id = m.organisation_id WHERE u.email = '" +
            email + "'");
    }
    std::string post(const std::string& reference) {
        return value(
            "CONCAT_WS('|', p.title, p.summary, p.body, p.author_name, COALESCE(p.published_at, 'draft'), o.slug) "
            "FROM posts p JOIN organisations o ON o.id = p.organisation_id WHERE p.reference = '" +
            reference + "'");
    }

    void wordpress_user(int id, const std::string& email, const std::string& name, const std::string& hash,
                        const std::string& role) {
        other.execute(
            "INSERT INTO wp_users (ID, user_login, user_pass, user_email, user_registered, display_name) VALUES (?, ?, ?, ?, "
            "'2019-03-04 05:06:07', ?)",
            {id, email, hash, email, name});
        const auto serialised = "a:1:{s:" + std::to_string(role.size()) + ":\"" + role + "\";b:1;}";
        other.execute(
            "INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (?, 'nickname', 'administrator'), "
            "(?, 'wp_capabilities', ?)",
            {id, id, serialised});
    }
    void wordpress_post(int id, int author, const std::string& title, const std::string& text, const std::string& status,
                        const std::string& gmt, const std::string& more = ", post_excerpt = ''") {
        other.execute(
            "INSERT INTO wp_posts SET ID = ?, post_author = ?, post_title = ?, post_content = ?, post_status = ?, "
            "post_date_gmt = ?, to_ping = '', pinged = '', post_content_filtered = ''" +
                more,
            {id, author, title, text, status, gmt});
    }

    test::Quiet quiet;
    test::Unlimited limiter;
    core::SystemClock system_clock;
};

const std::string users_of_laravel =
    "[users]\nquery = '''SELECT id AS `key`, email, name, password AS passwordHash FROM users ORDER BY id'''\n";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(import_foreign, Fixture)

BOOST_AUTO_TEST_CASE(people_and_posts_of_wordpress) {
    for (const auto* table : test::wordpress_tables) other.execute(table);
    wordpress_user(1, "ann@wp.example", "Ann &amp; Co", phpass, "administrator");
    wordpress_user(2, "bob@wp.example", "Bob", wordpress_hash, "editor");
    wordpress_user(3, "eve@wp.example", "Eve", php_bcrypt, "author");
    wordpress_user(4, "max@wp.example", "Max", "5f4dcc3b5aa765d61d8327deb882cf99", "contributor");
    wordpress_user(5, "sub@wp.example", "Sub", phpass, "subscriber");
    wordpress_post(10, 1, "Vans &amp; trucks",
                   "<!-- wp:paragraph -->\n<p>Now <b>open</b>.<br>Come&nbsp;in&#8230;</p>\n<!-- /wp -->\n\n"
                   "<ul><li>One</li><li>Two</li></ul><script>x < 1 </script>",
                   "publish", "2020-01-02 03:04:05", ", post_excerpt = 'Short <i>text</i>'");
    wordpress_post(11, 2, "", "Begun", "draft", "0000-00-00 00:00:00");
    wordpress_post(12, 2, "Planned", "Later", "future", "2099-01-01 00:00:00");
    wordpress_post(13, 2, "With a password", "Hidden", "publish", "2020-01-02 03:04:05",
                   ", post_excerpt = '', post_password = 'x'");
    wordpress_post(14, 9, "Of nobody", "Text", "publish", "2020-01-02 03:04:05");
    wordpress_post(15, 1, "Private", "No", "private", "2020-01-02 03:04:05");
    wordpress_post(16, 1, "Page", "No", "publish", "2020-01-02 03:04:05", ", post_excerpt = '', post_type = 'page'");
    wordpress_post(17, 1, "Vans", "No", "inherit", "2020-01-02 03:04:05", ", post_excerpt = '', post_type = 'revision'");

    const auto dry = arrive("wordpress", {"--dry-run"});
    BOOST_TEST(dry.error == "");
    BOOST_TEST(dry.out ==
               "users: 4 lines, 0 with faults; would be 4 added, 0 changed, 0 unchanged\n"
               "posts: 5 lines, 0 with faults; would be 5 added, 0 changed, 0 unchanged\n");
    BOOST_TEST(count("users") == 0);
    const auto first = arrive("wordpress");
    BOOST_TEST(first.error == "");
    BOOST_TEST(first.out == "users: 4 added, 0 changed, 0 unchanged\nposts: 5 added, 0 changed, 0 unchanged\n");
    const std::string unchanged = "users: 0 added, 0 changed, 4 unchanged\nposts: 0 added, 0 changed, 5 unchanged\n";
    BOOST_TEST(arrive("wordpress").out == unchanged);

    BOOST_TEST(roles_of("ann@wp.example") == "north-tractors ADMIN");
    BOOST_TEST(roles_of("bob@wp.example") == "north-tractors MEMBER");
    BOOST_TEST(value("name FROM users WHERE email = 'ann@wp.example' AND created_at = '2019-03-04 05:06:07'") == "Ann & Co");
    BOOST_TEST(hash_of("max@wp.example") == "(null)");
    BOOST_TEST(post("wp-10") ==
               "Vans & trucks|Short text|Now open.\nCome in…\n\n- One\n- Two|Ann & Co|2020-01-02 03:04:05.000|north-tractors");
    BOOST_TEST(post("wp-11") == "Post 11|Begun|Bob|draft|north-tractors");
    BOOST_TEST(post("wp-12") == "Planned|Later|Bob|2099-01-01 00:00:00.000|north-tractors");
    BOOST_TEST(post("wp-13") == "With a password|Hidden|Bob|draft|north-tractors");
    BOOST_TEST(post("wp-14") == "Of nobody|Text|2020-01-02 03:04:05.000|north-tractors");
    BOOST_TEST(value("listed FROM posts WHERE reference = 'wp-10'") == value("listed FROM posts WHERE reference = 'wp-14'"));

    const std::map<std::string, std::string> hashes{
        {"ann@wp.example", phpass}, {"bob@wp.example", wordpress_hash}, {"eve@wp.example", php_bcrypt}};
    for (const auto& [email, hash] : hashes) {
        BOOST_TEST(hash_of(email) == hash);
        BOOST_TEST(sign_in(email, "wrong horse") == 401);
        BOOST_TEST(hash_of(email) == hash);
        BOOST_TEST(sign_in(email, "correct horse") == 200);
        BOOST_TEST(hash_of(email).starts_with("$argon2id$v=19$m=8192,t=1,p=1$"));
        BOOST_TEST(sign_in(email, "correct horse") == 200);
    }
    BOOST_TEST(sign_in("max@wp.example", "password") == 401);
    // A password that was used here stays, whatever happens there.
    const auto anew = hash_of("ann@wp.example");
    BOOST_TEST(arrive("wordpress").out == unchanged);
    BOOST_TEST(hash_of("ann@wp.example") == anew);
    // A draft that was published there.
    other.execute("UPDATE wp_posts SET post_status = 'publish', post_date_gmt = '2020-02-03 04:05:06' WHERE ID = 11");
    BOOST_TEST(arrive("wordpress").out.ends_with("posts: 0 added, 1 changed, 4 unchanged\n"));
    BOOST_TEST(post("wp-11") == "Post 11|Begun|Bob|2020-02-03 04:05:06.000|north-tractors");
}

BOOST_AUTO_TEST_CASE(people_posts_and_stock_of_laravel) {
    for (const auto* table : {test::laravel_users, test::laravel_posts, test::laravel_vehicles}) other.execute(table);
    other.execute(
        "INSERT INTO users (id, name, email, password, created_at) VALUES (1, 'Ann', 'ann@laravel.example', ?, "
        "'2021-05-06 07:08:09'), (2, 'Bob', 'bob@laravel.example', ?, NULL)",
        {php_bcrypt, "$2a" + std::string(php_bcrypt).substr(3)});
    const auto first = arrive("laravel");
    BOOST_TEST(first.error == "");
    BOOST_TEST(first.out == "users: 2 added, 0 changed, 0 unchanged\n");
    BOOST_TEST(roles_of("ann@laravel.example") == "north-tractors MEMBER");
    BOOST_TEST(sign_in("ann@laravel.example", "correct horse") == 200);
    BOOST_TEST(sign_in("bob@laravel.example", "correct horse") == 200);
    BOOST_TEST(hash_of("bob@laravel.example").starts_with("$argon2id$"));

    // The example is what it says: its lines become part of the file.
    other.execute(
        "INSERT INTO posts VALUES (7, 1, 'Open day', NULL, 'Come.', '2022-01-01 00:00:00', NULL, NULL), "
        "(8, 1, 'Gone', NULL, 'x', NULL, NULL, '2022-01-01 00:00:00')");
    other.execute(
        "INSERT INTO vehicles VALUES (3, 'V-3', 'Ranger', 'One owner.', 'Ford', 'Ranger', 2023, 41200, 18500.50, "
        "'https://pictures.example/3.jpg', NULL), (4, 'V-4', 'Old van', NULL, NULL, NULL, NULL, 0, NULL, NULL, NOW())");
    std::ifstream shipped("fcgi-app/ctl/import/maps/laravel.toml");
    std::string map;
    for (std::string line; std::getline(shipped, line);)
        map += (line.size() > 1 && line[0] == '#' && (line[1] != ' ') ? line.substr(1) : line) + "\n";
    // Lines within the queries of the example are indented.
    for (auto at = map.find("\n#      "); at != std::string::npos; at = map.find("\n#      ")) map.erase(at + 1, 1);
    const auto whole = by(map);
    BOOST_TEST(whole.error == "");
    BOOST_TEST(whole.out ==
               "users: 0 added, 0 changed, 2 unchanged\nposts: 1 added, 0 changed, 0 unchanged\n"
               "stock: 2 added, 0 changed, 0 unchanged\n");
    BOOST_TEST(post("post-7") == "Open day|Come.|Ann|2022-01-01 00:00:00.000|north-tractors");
    BOOST_TEST(
        value("CONCAT_WS('|', title, price, currency, year, status, attributes) FROM stock_items WHERE reference = 'V-3'") ==
        R"(Ranger|1850050|GBP|2023|PUBLISHED|{"Mileage":"41200"})");
    BOOST_TEST(value("status FROM stock_items WHERE reference = 'V-4'") == "ARCHIVED");
    BOOST_TEST(count("stock_images") == 1);
    BOOST_TEST(by(map).out.ends_with("stock: 0 added, 0 changed, 2 unchanged\n"));
}

BOOST_AUTO_TEST_CASE(who_is_here_keeps_other_memberships) {
    BOOST_TEST(
        import(
            ctl::import_users,
            R"({"email":"ann@laravel.example","name":"Ann","organisations":[{"organisation":"south-marine","role":"ADMIN"}]})") ==
        "1/0/0");
    other.execute(test::laravel_users);
    other.execute("INSERT INTO users (name, email, password) VALUES ('Ann', 'Ann@laravel.example', ?)", {php_bcrypt});
    BOOST_TEST(arrive("laravel").out == "users: 0 added, 1 changed, 0 unchanged\n");
    BOOST_TEST(roles_of("Ann@laravel.example") == "north-tractors MEMBER,south-marine ADMIN");
    BOOST_TEST(arrive("laravel").out == "users: 0 added, 0 changed, 1 unchanged\n");
    // Until somebody has signed in here, a password that is changed there comes along.
    other.execute("UPDATE users SET password = ?", {phpass});
    BOOST_TEST(arrive("laravel").out == "users: 0 added, 1 changed, 0 unchanged\n");
    BOOST_TEST(hash_of("Ann@laravel.example") == phpass);
}

BOOST_AUTO_TEST_CASE(rows_with_faults_are_named_and_nothing_is_written) {
    other.execute(test::laravel_users);
    other.execute(
        "INSERT INTO users (id, name, email, password) VALUES (5, ?, 'ann@x.example', ?), (6, 'Ann', 'ANN@x.example', ?), "
        "(7, 'Bob', 'no address', ?), (8, 'www.bob.example', 'bob@x.example', '$2y$31$abc')",
        {"Ann\tLee\x01", php_bcrypt, php_bcrypt, php_bcrypt});
    other.execute(test::laravel_posts);
    other.execute(
        "INSERT INTO posts (id, title, body) VALUES (1, REPEAT('x', 151), 'b'), (2, 'Huge', REPEAT('x', 100001)), "
        "(3, 'Longer than a line', REPEAT('x', 5000000))");
    const std::string map =
        users_of_laravel +
        "[posts]\nquery = '''\nSELECT id AS `key`, @organisation AS organisation, title, body, NULL AS summary, "
        "'yesterday' AS publishedAt, 'red' AS tags FROM posts'''\n";
    const auto result = by(map);
    BOOST_TEST(result.code == 1);
    BOOST_TEST(result.out.find("row 2 (key 6): email: the email ann@x.example is that of line 1 too\n") != std::string::npos,
               result.out);
    BOOST_TEST(result.out.find("row 3 (key 7): email: ") != std::string::npos);
    BOOST_TEST(result.out.find("row 4 (key 8): name: ") != std::string::npos);
    BOOST_TEST(result.out.find("row 1 (key 1): title: must be 1 to 150 characters long\n") != std::string::npos);
    BOOST_TEST(result.out.find("row 2 (key 2): body: must be at most 100000 characters long\n") != std::string::npos);
    BOOST_TEST(result.out.find("row 3 (key 3): the line is longer than 4 MiB\n") != std::string::npos);
    BOOST_TEST(result.out.find("row 2 (key 2): publishedAt: ") != std::string::npos);
    BOOST_TEST(result.out.find("row 2 (key 2): tags: must be a list") != std::string::npos);
    BOOST_TEST(result.error.starts_with("tradepostctl: " + map_path + ": [users]: row 2 (key 6): the email "));
    BOOST_TEST(count("users") == 0);
    BOOST_TEST(count("posts") == 0);
    // Users that are right are not written while posts are wrong.
    other.execute("DELETE FROM users WHERE id > 5");
    BOOST_TEST(by(map).error.starts_with("tradepostctl: " + map_path + ": [posts]: row 1 (key 1): "));
    BOOST_TEST(count("users") == 0);
    const auto json = nlohmann::ordered_json::parse(by(map, {"--json", "--dry-run"}).out);
    BOOST_TEST(json.at("users").at("added") == 1);
    BOOST_TEST(json.at("posts").at("failures")[0].at("key") == "1");
    BOOST_TEST(by(users_of_laravel).out == "users: 1 added, 0 changed, 0 unchanged\n");
    BOOST_TEST(value("name FROM users") == "Ann Lee");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_mapping) {
    other.execute(test::laravel_users);
    other.execute("INSERT INTO users (name, email, password) VALUES ('Ann', 'ann@x.example', '')");
    const auto query = [](const std::string& sql) { return "[users]\nquery = \"" + sql + "\"\n"; };
    const std::string begin = "tradepostctl: MAP: [users]";
    const std::pair<std::string, std::string> table[] = {
        {"[users", "tradepostctl: MAP:1: "},
        {"", "tradepostctl: MAP: has no section; write [users] or [posts] with a query\n"},
        {"users = 1", begin + ": must be a section\n"},
        {"[user]\nquery = \"SELECT 1\"",
         "tradepostctl: MAP: [user] is unknown; sections are users, jobs, events, posts and stock\n"},
        {"[organisations]\nquery = \"SELECT 1\"",
         "tradepostctl: MAP: [organisations] is unknown; sections are users, jobs, events, posts and stock\n"},
        {"[users]\n", begin + " query: is missing\n"},
        {"[users]\nquery = 1\n", begin + " query: must be a string\n"},
        {"[users]\ntable = \"users\"\n", begin + " table: is not a setting; a section has query and html\n"},
        {query(""), begin + " query: there is no statement; write one SELECT\n"},
        {query("SELECT 1; SELECT 2"), begin + " query: there is more than one statement; write one SELECT\n"},
        {query("DELETE FROM users"), begin + " query: must begin with SELECT or WITH\n"},
        {query("SELECT id AS `key`, email, colour FROM users"), begin + " query: "},
        {query("SELECT id AS `key`, email FROM nothing"), begin + " query: "},
        {query("SELECT FROM users"), begin + " query: "},
        {query("SELECT id AS `key`, email, name AS colour FROM users"),
         begin + " query: the column colour is no field: see tradepostctl import fields users\n"},
        {query("SELECT email, name FROM users"),
         begin + " query: select the row's key too, such as id AS `key`: faults name it\n"},
        {query("SELECT id AS `key`, UNHEX('ff') AS name FROM users"),
         begin +
             ": row 1: the column name is no text in UTF-8 without NUL: use CONVERT(… USING utf8mb4) or HEX() in the query\n"},
        {query("SELECT id AS `key`, email, CHAR(65, 0 USING utf8mb4) AS name FROM users"),
         begin +
             ": row 1: the column name is no text in UTF-8 without NUL: use CONVERT(… USING utf8mb4) or HEX() in the query\n"},
        {query("SELECT id AS `key`, email FROM users") + "html = [\"name\"]", begin + " html: the query has no column name\n"},
        {query("SELECT id AS `key`, email, NULL AS name FROM users"),
         begin + ": row 1 (key 1): Invalid field: name: must not be null\n"},
    };
    for (const auto& [map, expected] : table) {
        const auto found = refusal(map);
        BOOST_TEST((expected.ends_with("\n") ? found == expected : found.starts_with(expected)), map << ": " << found);
    }
    // The server refuses to write, whatever a query calls.
    other.execute("CREATE FUNCTION wipe() RETURNS INT DETERMINISTIC BEGIN DELETE FROM users; RETURN 1; END");
    BOOST_TEST(refusal(query("SELECT wipe() AS `key`")).find("READ ONLY") != std::string::npos);
    BOOST_TEST(other.query("SELECT COUNT(*) FROM users").at(0).integer(0) == 1);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_the_command) {
    const auto with = [&](const std::string& its_dsn, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"import", "wordpress", "--dsn", its_dsn};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return ctl(arguments);
    };
    for (const auto* wrong :
         {"", "mysql", "mysql://host/db", "mysql://@host/db", "mysql://u@host", "mysql://u@host/", "mysql://u@/db",
          "mysql://u@host:0/db", "mysql://u@host:x/db", "mysql://u@host/db?ssl=1", "postgres://u@host/db"})
        fails(with(wrong), 2, "--dsn: must be mysql://USER@HOST:PORT/DATABASE, or mysql://USER@localhost/DATABASE?socket=FILE");
    const auto told = with("mysql://u:secret@host/db");
    fails(told, 2, "--dsn: must not hold a password, which other users of this host would see: use --password-file");
    BOOST_TEST(told.error.find("secret") == std::string::npos);
    fails(with("mysql://u@127.0.0.1:1/db"), 2, "--organisation: name the organisation that ");
    const std::vector<std::string> north{"--organisation", "north-tractors", "--password-file", password_file};
    fails(with("mysql://u@127.0.0.1:1/db", {"--organisation", "nobody"}), 1, "there is no organisation nobody");
    fails(with("mysql://u@127.0.0.1:1/db", {"--organisation", "north-tractors", "--password-file", "/nowhere"}), 1,
          "/nowhere: cannot be read: No such file or directory");
    fails(with("mysql://u@127.0.0.1:1/db", north), 1, "the database of --dsn cannot be reached: ");
    fails(with("mysql://u@localhost/db?socket=/nowhere/s", north), 1, "the database of --dsn cannot be reached: ");
    auto unknown = dsn();
    unknown.insert(8, "not-");
    fails(with(unknown, north), 1, "the database of --dsn refuses the sign-in: correct its user, or the password: ");
    auto missing = dsn();
    missing.insert(missing.find(foreign.config().name), "no_");
    BOOST_TEST(with(missing, north).code == 1);
    fails(with(dsn(), {"--map", "/nowhere.toml"}), 1, "/nowhere.toml");
    fails(with(dsn(), north), 1, ": [users] query: ");  // it has no such tables
}

BOOST_AUTO_TEST_SUITE_END()
