import { type Fault, untilDone } from './fault.ts'

/** The database accepts no writes, like one that was demoted to a replica. */
export const readOnly: Fault = {
  name: 'read-only',
  async run({ world: { stage }, hold }) {
    const set = (value: string) =>
      untilDone(async () => {
        await stage.postgres.ask(`alter system set default_transaction_read_only = ${value}`)
        await stage.postgres.ask('select pg_reload_conf()')
      })
    await set('on')
    await hold(2_000, 12_000)
    await set('off')
  },
}
