// Makes locks of rows count between the nodes of a cluster.
#pragma once
#include <span>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::db {

// Inside a transaction: of two transactions on different nodes that name the same id, one fails at COMMIT as a deadlock does, and is run
// again. Galera compares the rows that transactions write, not those that they lock (https://galeracluster.com, "Certification-Based
// Replication"), and hosts may use different nodes for some seconds. Does nothing without a cluster, where locks do this. Throws Error.
void conflict_on(Connection& connection, std::span<const core::Uuid> ids);

}  // namespace tradepost::db
