import { type Fault, untilDone } from './fault.ts'

/** Only the connections that LISTEN are terminated; all others stay. */
export const listenersCut: Fault = {
  name: 'listeners-cut',
  run: ({ world: { stage } }) =>
    untilDone(() =>
      stage.postgres.ask(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'bellhop' and (application_name like 'bellhop % secret=%' or query ~* '^\\s*listen ')`),
    ),
}
