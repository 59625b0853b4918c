#include "identity/passwords/argon2id.h"

#include <argon2.h>
#include <sys/mman.h>

#include <charconv>
#include <new>
#include <stdexcept>

namespace tradepost::identity {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(std::string_view bytes) {
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    for (const unsigned char byte : bytes) {
        bits = (bits << 8 | byte) & 0xffff;
        for (count += 8; count >= 6; count -= 6) text += alphabet[bits >> (count - 6) & 63];
    }
    if (count > 0) text += alphabet[bits << (6 - count) & 63];
    return text;
}

// Exactly what to_base64() writes: one text for one value.
std::optional<std::string> from_base64(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const auto digit = alphabet.find(c);
        if (digit == std::string_view::npos) return {};
        bits = (bits << 6 | std::uint32_t(digit)) & 0xffff;
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += char(bits >> count & 255);
        }
    }
    if (count > 4 || (bits & ((1u << count) - 1)) != 0) return {};
    return bytes;
}

class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    bool skip(std::string_view literal) {
        if (!rest_.starts_with(literal)) return false;
        rest_.remove_prefix(literal.size());
        return true;
    }
    bool number(std::string_view name, std::uint32_t& value) {
        if (!skip(name) || rest_.starts_with('0')) return false;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc()) return false;
        rest_.remove_prefix(std::size_t(end - rest_.data()));
        return true;
    }
    std::string_view until(char mark) {
        const auto part = rest_.substr(0, rest_.find(mark));
        rest_.remove_prefix(part.size());
        return part;
    }
    bool at(std::string_view literal) const { return rest_.starts_with(literal); }
    std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
};

// malloc() would keep a freed block of this size: the worker would stay 19 MiB larger.
int allocate(std::uint8_t** memory, std::size_t bytes) {
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return ARGON2_MEMORY_ALLOCATION_ERROR;
    madvise(pages, bytes, MADV_HUGEPAGE);  // a quarter less time
    madvise(pages, bytes, MADV_DONTDUMP);
    *memory = static_cast<std::uint8_t*>(pages);
    return ARGON2_OK;
}

void release(std::uint8_t* memory, std::size_t bytes) {
    munmap(memory, bytes);
}

std::uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));  // the library only reads it
}

}  // namespace

std::string Argon2id::to_text() const {
    return "$argon2id$v=" + std::to_string(version) + "$m=" + std::to_string(memory_kib) + ",t=" + std::to_string(passes) +
           ",p=" + std::to_string(lanes) + "$" + to_base64(salt) + "$" + to_base64(digest);
}

std::optional<Argon2id> Argon2id::parse(std::string_view text) {
    Scanner scanner(text);
    Argon2id parsed;
    if (!scanner.skip("$argon2id$")) return {};
    parsed.version = 16;
    if (scanner.at("v=") && !(scanner.number("v=", parsed.version) && scanner.skip("$"))) return {};
    if (!scanner.number("m=", parsed.memory_kib) || !scanner.number(",t=", parsed.passes) ||
        !scanner.number(",p=", parsed.lanes) || !scanner.skip("$")) {
        return {};
    }
    const auto salt = from_base64(scanner.until('$'));
    if (!salt || !scanner.skip("$")) return {};
    const auto digest = from_base64(scanner.rest());
    if (!digest || (parsed.version != 16 && parsed.version != 19)) return {};
    if (parsed.lanes > ARGON2_MAX_LANES || parsed.memory_kib / 8 < parsed.lanes || salt->size() < ARGON2_MIN_SALT_LENGTH ||
        digest->size() < ARGON2_MIN_OUTLEN) {
        return {};
    }
    parsed.salt = *salt;
    parsed.digest = *digest;
    return parsed;
}

std::string Argon2id::compute(std::string_view password, std::size_t length) const {
    std::string out(length, '\0');
    argon2_context context{};
    context.out = bytes_of(out);
    context.outlen = std::uint32_t(length);
    context.pwd = bytes_of(password);
    context.pwdlen = std::uint32_t(password.size());
    context.salt = bytes_of(salt);
    context.saltlen = std::uint32_t(salt.size());
    context.t_cost = passes;
    context.m_cost = memory_kib;
    context.lanes = lanes;
    context.threads = 1;  // affects the time only; a worker has one thread
    context.version = version;
    context.allocate_cbk = allocate;
    context.free_cbk = release;
    const int result = argon2_ctx(&context, Argon2_id);
    if (result == ARGON2_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
    if (result != ARGON2_OK) throw std::invalid_argument(argon2_error_message(result));
    return out;
}

}  // namespace tradepost::identity
