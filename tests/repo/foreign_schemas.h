// The tables of Laravel and of WordPress, with the columns and types that both publish.
#pragma once

namespace tradepost::test {

// database/migrations/0001_01_01_000000_create_users_table.php of a new application; the collation tells letters' cases apart, so that
// the unique key does not.
inline constexpr const char* laravel_users =
    "CREATE TABLE users (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(255) NOT NULL, "
    "email VARCHAR(255) NOT NULL, email_verified_at TIMESTAMP NULL, password VARCHAR(255) NOT NULL, remember_token VARCHAR(100) "
    "NULL, "
    "created_at TIMESTAMP NULL, updated_at TIMESTAMP NULL, UNIQUE KEY users_email_unique (email)) "
    "DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";

// What the example in laravel.toml takes an application to have.
inline constexpr const char* laravel_posts =
    "CREATE TABLE posts (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, user_id BIGINT UNSIGNED NULL, "
    "title VARCHAR(255) NOT NULL, excerpt TEXT NULL, body LONGTEXT NULL, published_at TIMESTAMP NULL, created_at TIMESTAMP NULL, "
    "deleted_at TIMESTAMP NULL)";
inline constexpr const char* laravel_vehicles =
    "CREATE TABLE vehicles (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, stock_number VARCHAR(64) NOT NULL, "
    "title VARCHAR(255) NOT NULL, description TEXT NULL, make VARCHAR(80) NULL, model VARCHAR(80) NULL, year SMALLINT NULL, "
    "mileage INT NOT NULL DEFAULT 0, price DECIMAL(10,2) NULL, photo_url VARCHAR(255) NULL, sold_at TIMESTAMP NULL)";

// wp_get_db_schema() of WordPress 6.8.
inline constexpr const char* wordpress_tables[] = {
    "CREATE TABLE wp_users (ID BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, user_login VARCHAR(60) NOT NULL DEFAULT "
    "'', "
    "user_pass VARCHAR(255) NOT NULL DEFAULT '', user_nicename VARCHAR(50) NOT NULL DEFAULT '', "
    "user_email VARCHAR(100) NOT NULL DEFAULT '', user_url VARCHAR(100) NOT NULL DEFAULT '', "
    "user_registered DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00', user_activation_key VARCHAR(255) NOT NULL DEFAULT '', "
    "user_status INT(11) NOT NULL DEFAULT 0, display_name VARCHAR(250) NOT NULL DEFAULT '', KEY user_email (user_email)) "
    "DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci",
    "CREATE TABLE wp_usermeta (umeta_id BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, "
    "user_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0, meta_key VARCHAR(255) DEFAULT NULL, meta_value LONGTEXT, "
    "KEY user_id (user_id)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci",
    "CREATE TABLE wp_posts (ID BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, "
    "post_author BIGINT(20) UNSIGNED NOT NULL DEFAULT 0, post_date DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00', "
    "post_date_gmt DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00', post_content LONGTEXT NOT NULL, post_title TEXT NOT NULL, "
    "post_excerpt TEXT NOT NULL, post_status VARCHAR(20) NOT NULL DEFAULT 'publish', "
    "comment_status VARCHAR(20) NOT NULL DEFAULT 'open', ping_status VARCHAR(20) NOT NULL DEFAULT 'open', "
    "post_password VARCHAR(255) NOT NULL DEFAULT '', post_name VARCHAR(200) NOT NULL DEFAULT '', to_ping TEXT NOT NULL, "
    "pinged TEXT NOT NULL, post_modified DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00', "
    "post_modified_gmt DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00', post_content_filtered LONGTEXT NOT NULL, "
    "post_parent BIGINT(20) UNSIGNED NOT NULL DEFAULT 0, guid VARCHAR(255) NOT NULL DEFAULT '', menu_order INT(11) NOT NULL "
    "DEFAULT 0, "
    "post_type VARCHAR(20) NOT NULL DEFAULT 'post', post_mime_type VARCHAR(100) NOT NULL DEFAULT '', "
    "comment_count BIGINT(20) NOT NULL DEFAULT 0) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci"};

}  // namespace tradepost::test
