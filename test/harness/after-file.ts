type Close = () => unknown

const toClose: Close[] = []

/**
 * Closes something with the tests of the file, the last that was opened first. Whoever opens may do so anywhere: in a
 * hook or a test, where Vitest's own `afterAll` is too late and never runs.
 */
export function afterFile(close: Close): void {
  toClose.push(close)
}

/** Closes everything, also when something of it does not let itself be closed. */
export async function closeAll(): Promise<void> {
  const failures: unknown[] = []
  for (const close of toClose.splice(0).toReversed()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'something could not be closed')
}
