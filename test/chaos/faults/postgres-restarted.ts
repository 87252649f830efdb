import type { Fault } from './fault.ts'

/** PostgreSQL stops immediately and restarts at once. */
export const postgresRestarted: Fault = {
  name: 'postgres-restarted',
  async run({ world: { stage }, chance, say }) {
    const how = chance.pick(['fast', 'immediate'] as const)
    say(how)
    await stage.postgres.stop(how)
    await stage.postgres.start()
  },
}
