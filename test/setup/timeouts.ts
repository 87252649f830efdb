/**
 * Tests wait for states with their own timeouts. These only end a test that hangs, even on the slowest machine: one of two
 * cores that other programs keep busy takes ten times as long as a quiet one.
 */
export const TIMEOUTS = {
  testTimeout: 360_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
}
