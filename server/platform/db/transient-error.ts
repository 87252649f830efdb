/**
 * Transient errors, which are not the statement's fault: PostgreSQL is unreachable, refuses connections, is out of
 * space, read-only, in recovery or broken; it cancelled the statement because of a timeout or another transaction; or
 * a cached plan no longer fits the tables.
 */
const PASSES = new RegExp(
  [
    '^(08|28|40|53|57|58|XX)...$',
    '^(0A000|25006|25P03|25P04|26000|3D000|55006|55P03)$',
    '^(CONNECTION_.*|CONNECT_TIMEOUT)$',
    // System errors of sockets, files and DNS; Node's own (ERR_…) are our bugs.
    '^E(?!RR_)[A-Z_]+$',
  ].join('|'),
)

/** Whether an error with this code is transient. */
export const isTransient = (code: string) => PASSES.test(code)
