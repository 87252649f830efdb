import type { Fault } from './fault.ts'

/** One process, or two at once, get SIGKILL. */
export const processKilled: Fault = {
  name: 'process-killed',
  run({ world, chance, say }) {
    const count = chance.next() < 0.25 ? 2 : 1
    const victims = chance.shuffled(world.stage.roles).slice(0, count)
    say(victims.map(({ name }) => name).join(' and '))
    for (const victim of victims) victim.kill()
    return Promise.resolve()
  },
}
