#include "db/foreign.h"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>
#include <cppconn/resultset_metadata.h>
#include <cppconn/statement.h>

#include "db/failure.h"
#include "db/session.h"
#include "db/statement.h"

namespace tradepost::db {
namespace {

constexpr std::chrono::minutes longest_silence{10};

}  // namespace

struct ForeignDatabase::Impl {
    std::unique_ptr<sql::Connection> session;
    std::unique_ptr<sql::Statement> statement;

    template <class Send>
    auto send(const std::string& text, Send&& send_to) {
        try {
            return send_to(*statement);
        } catch (const sql::SQLException& error) {
            make_failure(error.getErrorCode(), error.what(), abbreviate(text)).raise();
        }
    }
    void execute(const std::string& text) {
        send(text, [&](sql::Statement& with) { with.execute(text); });
    }
};

ForeignDatabase::ForeignDatabase(const core::Config::Database& config) : impl_(new Impl) {
    impl_->session = open_session(config, {.socket = config.socket, .host = config.host, .port = config.port}, longest_silence);
    impl_->statement.reset(impl_->session->createStatement());
    impl_->execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    impl_->execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
    // Rows are not kept in memory, of which one column may have gigabytes.
    impl_->statement->setResultSetType(sql::ResultSet::TYPE_FORWARD_ONLY);
}

ForeignDatabase::~ForeignDatabase() = default;

void ForeignDatabase::set(std::string_view name, std::string_view value) {
    impl_->execute("SET @" + std::string(name) + " = " + literal(value));
}

void ForeignDatabase::each(const std::string& select, const std::function<void(const Texts&)>& columns,
                           const std::function<void(const Cells&)>& row) {
    // The connector takes a connection that is lost among the rows for the end of them.
    const std::string counting = "SELECT COUNT(*) FROM (" + select + "\n) counted";
    const auto expected = impl_->send(counting, [&](sql::Statement& with) {
        const std::unique_ptr<sql::ResultSet> result(with.executeQuery(counting));
        const auto number = result->next() ? result->getUInt64(1) : 0;
        while (result->next()) {
        }
        return number;
    });
    std::uint64_t seen = 0;
    impl_->send(select, [&](sql::Statement& with) {
        const std::unique_ptr<sql::ResultSet> result(with.executeQuery(select));
        auto* const about = result->getMetaData();
        Texts names;
        for (unsigned i = 1; i <= about->getColumnCount(); ++i) names.push_back(about->getColumnLabel(i));
        columns(names);
        for (Cells cells(names.size()); result->next(); row(cells), ++seen)
            for (unsigned i = 0; i < cells.size(); ++i)
                cells[i] = result->isNull(i + 1) ? std::nullopt : std::optional(std::string(result->getString(i + 1)));
    });
    if (seen != expected)
        throw Error(0, "of " + std::to_string(expected) + " rows " + std::to_string(seen) +
                           " arrived: the connection was lost, or a table without transactions was written meanwhile");
}

}  // namespace tradepost::db
