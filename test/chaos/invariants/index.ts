import { callsOver } from './calls-over.ts'
import { soundKept } from './conversations-continue.ts'
import type { Invariant } from './invariant.ts'
import { memoryFlat } from './memory-flat.ts'
import { nobodyEnded } from './no-process-exited.ts'
import { writesKept } from './no-write-lost.ts'
import { nobodyStuck, presenceTrue } from './presence-true.ts'
import { worksAgain } from './recovers.ts'
import { textsSentOnce } from './texts-sent-once.ts'
import { webhooksDelivered } from './webhooks-delivered.ts'

export const INVARIANTS: Invariant[] = [
  worksAgain,
  writesKept,
  textsSentOnce,
  webhooksDelivered,
  callsOver,
  soundKept,
  nobodyStuck,
  presenceTrue,
  memoryFlat,
  nobodyEnded,
]
