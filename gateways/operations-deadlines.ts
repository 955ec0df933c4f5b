/**
 * How long an answer of the operations port waits for a server or a disk, ms. What it asks, it asks side by side, so
 * that the whole answer waits no longer: `/readyz` names the part that has not answered, and `/metrics` comes without
 * its series.
 */
export const SERVERS_WITHIN_MS = 1_500;

/**
 * How long a supervisor waits for the answer of a process of its own, ms: as long as that waits for its servers, and a
 * second in which a busy one gets to it. Otherwise an outage of a server would look like processes that hang. The
 * probes in deploy/ and in the Dockerfile wait longer than this.
 */
export const PROCESSES_WITHIN_MS = SERVERS_WITHIN_MS + 1_000;
