import type { Fault } from './fault.ts'

/** The network between Bellhop and the database drops everything silently. */
export const connectionsSilent: Fault = {
  name: 'connections-silent',
  async run({ world: { stage }, hold }) {
    stage.wire.silence()
    await hold(1_000, 15_000)
    stage.wire.mend()
  },
}
