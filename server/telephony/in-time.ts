import type { Clock } from '../platform/clock.ts'

export type InTime<T> = { ok: true; value: T } | { ok: false; why: unknown }

/** Waits for something that may never come, as when the database is away, and no longer than the time. */
export function inTime<T>(clock: Clock, limitMs: number, work: Promise<T>): Promise<InTime<T>> {
  return new Promise((resolve) => {
    const late = new Error(`it was not over in ${limitMs} ms`)
    const callOff = clock.after(limitMs, () => resolve({ ok: false, why: late }))
    const done = (outcome: InTime<T>) => {
      callOff()
      resolve(outcome)
    }
    work.then(
      (value) => done({ ok: true, value }),
      (why: unknown) => done({ ok: false, why }),
    )
  })
}
