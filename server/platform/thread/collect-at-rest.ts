import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { systemClock } from '../clock.ts'
import { threadCpuMs } from '../event-loop.ts'
import { PLATFORM_LIMITS } from '../limits.ts'

/**
 * Collects the garbage of this thread once it has had nothing to do for a while. V8 gives memory back by itself only
 * after it has collected the old generation, which a thread with short-lived packets hardly ever needs.
 */
export function collectAtRest({
  restMs = PLATFORM_LIMITS.threadRestMs,
  restShare = PLATFORM_LIMITS.threadRestShare,
} = {}): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Code that was compiled ahead is used only by a process with the flags that it was compiled with.
  setFlagsFromString('--no-expose-gc')
  let cpuMs = threadCpuMs()
  let isCollected = false
  let callOff = systemClock.after(restMs, look)

  function look(): void {
    const isResting = threadCpuMs() - cpuMs < restMs * restShare
    if (isResting && !isCollected) collect()
    isCollected = isResting
    // The collection is not counted: it would look like work.
    cpuMs = threadCpuMs()
    callOff = systemClock.after(restMs, look)
  }

  return () => callOff()
}
