import type { Fault } from './fault.ts'

/** PostgreSQL is shut down in order, and started after a while. */
export const postgresStopped: Fault = {
  name: 'postgres-stopped',
  async run({ world: { stage }, hold }) {
    await stage.postgres.stop('fast')
    await hold(1_000, 15_000)
    await stage.postgres.start()
  },
}
