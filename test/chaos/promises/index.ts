import { callsOver } from './calls-over.ts'
import { memoryFlat } from './memory-flat.ts'
import { nobodyEnded } from './nobody-ended.ts'
import { nobodyStuck, presenceTrue } from './presence-true.ts'
import type { ReliabilityPromise } from './promise.ts'
import { soundKept } from './sound-kept.ts'
import { textsSentOnce } from './texts-sent-once.ts'
import { webhooksDelivered } from './webhooks-delivered.ts'
import { worksAgain } from './works-again.ts'
import { writesKept } from './writes-kept.ts'

export const PROMISES: ReliabilityPromise[] = [
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
