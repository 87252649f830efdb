import { systemClock } from '../../server/platform/clock.ts'
import { lazy } from '../../server/platform/lazy.ts'
import { createLog } from '../../server/platform/log.ts'
import { createEmbeddedSynthesiser } from '../../server/speech/embedded/synthesiser.ts'

/** One for all test files of a worker: an engine takes seconds to start. It ends with the worker. */
export const sharedSpeaker = lazy(() =>
  createEmbeddedSynthesiser({ clock: systemClock, log: createLog({ level: 'warn' }) }),
)
