import type { Fault } from './fault.ts'

/** PostgreSQL has no room left for data or for its log; it may end of that, and is started again. */
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
