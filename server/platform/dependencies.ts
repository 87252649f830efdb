import type { Clock, Pause } from './clock.ts'
import type { Vault } from './crypto/crypto.ts'
import type { Database } from './db/database.ts'
import type { PubSub } from './db/pubsub.ts'
import type { Log } from './log.ts'
import type { Tracer } from './tracing/span.ts'

/** What the composition root creates once for a process, under the names by which it is passed on. */
interface ProcessDependencies {
  db: Database
  pubsub: PubSub
  clock: Clock
  pause: Pause
  log: Log
  vault: Vault
  /** Undefined if this process records no traces. */
  tracer: Tracer | undefined
}

/** Those that a function needs. */
export type Dependencies<Name extends keyof ProcessDependencies> = Pick<ProcessDependencies, Name>
