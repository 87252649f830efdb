import type { Fault } from './fault.ts'

/** PostgreSQL has no space left for data or for its WAL; it may exit because of that, and is restarted. */
export const diskFull: Fault = {
  name: 'disk-full',
  missing: ({ stage }) => (stage.postgres.disk ? undefined : 'mounting a small disk takes root'),
  async run({ world: { stage }, hold }) {
    await stage.postgres.disk!.fill()
    await hold(4_000, 15_000)
    await stage.postgres.disk!.empty()
    await stage.postgres.start()
  },
}
