import type { Fault } from './fault.ts'

/** A process is suspended, as on a machine that is out of memory, and then resumes. */
export const processFrozen: Fault = {
  name: 'process-frozen',
  async run({ world, chance, say, hold }) {
    const role = chance.pick(world.stage.roles)
    say(role.name)
    const goOn = role.freeze()
    await hold(1_000, 20_000)
    goOn()
  },
}
