#include "resources/jobs/history.h"

#include <map>

#include "audit/record.h"
#include "fields/differences.h"
#include "resources/jobs/writer.h"
#include "writes/history.h"

namespace tradepost::jobs {

void record_history(db::Connection& connection, std::span<const Job> jobs, std::span<const Job> rows) {
    std::map<core::Uuid, const Job*> row_of;
    for (const auto& row : rows) row_of[row.id] = &row;
    writes::History history(connection, JobTable::name, audit::Acting::user());
    for (const auto& job : jobs) {
        const auto row = row_of.find(job.id);
        if (row == row_of.end()) {
            history.created(job.id, job.updated_at);
            continue;
        }
        json::Writer writer;
        writer.begin_array();
        fields::write_differences(writer, job_fields(), *row->second, job);
        history.changed(job.id, job.updated_at, writer.end_array().take());
    }
    history.flush();
}

}  // namespace tradepost::jobs
