type Close = () => unknown

const toClose: Close[] = []

/**
 * Closes something after the file's tests, in reverse order of opening. It can be called anywhere, even in a hook or a
 * test, where Vitest never runs an `afterAll`.
 */
export function afterFile(close: Close): void {
  toClose.push(close)
}

/** Closes everything, even if closing something fails. */
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
