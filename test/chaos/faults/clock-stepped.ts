import type { Fault } from './fault.ts'

const STEPS_SECONDS = [-120, -15, -2, 2, 15, 120]

/** The clock of one process, or of all, is set ahead or back, and corrected after a while. */
export const clockStepped: Fault = {
  name: 'clock-stepped',
  async run({ world: { stage }, chance, say, hold }) {
    const seconds = chance.pick(STEPS_SECONDS)
    const roles = chance.next() < 0.3 ? stage.roles : [chance.pick(stage.roles)]
    say(`${seconds} s, ${roles.length > 1 ? 'all' : roles[0]!.name}`)
    const shift = (ms: number) => Promise.all(roles.map((role) => role.shiftClock(ms)))
    await shift(seconds * 1_000)
    await hold(2_000, 15_000)
    await shift(0)
  },
}
