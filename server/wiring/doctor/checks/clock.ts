import { systemClock } from '../../../platform/clock.ts'
import type { Check } from '../check.ts'
import { ok, problem, warning } from '../finding.ts'
import { DOCTOR_LIMITS } from '../limits.ts'
import { selectNow } from '../queries.ts'

/** The clock of this machine against that of the database. */
export const clock: Check = {
  name: 'clock',
  async run({ database }) {
    if (!database.isOpen) return []
    const before = systemClock.now().getTime()
    const theirs = (await selectNow(database.sql)).getTime()
    const after = systemClock.now().getTime()
    // The database read its clock at some moment between; only what that cannot explain is a difference.
    const apartMs = Math.max(before - theirs, theirs - after, 0)
    if (apartMs <= DOCTOR_LIMITS.clockWarningMs)
      return [ok('The clocks of this machine and of the database agree.')]
    const message = `The clocks of this machine and of the database differ by ${Math.round(apartMs / 100) / 10} seconds.`
    const action = 'Synchronise both with NTP.'
    return [apartMs > DOCTOR_LIMITS.clockProblemMs ? problem(message, action) : warning(message, action)]
  },
}
