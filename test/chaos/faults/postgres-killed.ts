import type { Fault } from './fault.ts'

/** Every process of PostgreSQL gets SIGKILL; it recovers when it is restarted. */
export const postgresKilled: Fault = {
  name: 'postgres-killed',
  async run({ world: { stage }, hold }) {
    await stage.postgres.kill()
    await hold(0, 5_000)
    await stage.postgres.start()
  },
}
