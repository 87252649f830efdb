import type { Fault } from './fault.ts'

/** All connections to the database break, and for a while none can be opened. */
export const connectionsCut: Fault = {
  name: 'connections-cut',
  async run({ world: { stage }, hold }) {
    stage.wire.cut()
    await hold(0, 8_000)
    stage.wire.mend()
  },
}
