/**
 * What is no fault of the statement, and may be gone when it is tried again: PostgreSQL is unreachable, refuses
 * connections, is out of room, read-only, in recovery or broken; it ended the statement for taking too long, or for
 * another transaction; or what it had prepared no longer fits the tables.
 */
const PASSES = new RegExp(
  [
    '^(08|28|40|53|57|58|XX)...$',
    '^(0A000|25006|25P03|25P04|26000|3D000|55006|55P03)$',
    '^(CONNECTION_.*|CONNECT_TIMEOUT)$',
    // Of sockets, files and name servers; those of Node itself (ERR_…) are bugs of ours.
    '^E(?!RR_)[A-Z_]+$',
  ].join('|'),
)

/** Whether a failure with this code may pass by itself. */
export const mayPass = (code: string) => PASSES.test(code)
