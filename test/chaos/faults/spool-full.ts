import type { Fault } from './fault.ts'

/** There is no space left where recordings of live calls are written. */
export const spoolFull: Fault = {
  name: 'spool-full',
  missing: ({ stage }) => (stage.spool ? undefined : 'mounting a small disk takes root'),
  async run({ world: { stage }, hold }) {
    await stage.spool!.fill()
    await hold(4_000, 15_000)
    await stage.spool!.empty()
  },
}
