import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { noteActivity } from '../activity.ts'
import { systemClock } from '../clock.ts'
import { threadCpuMs } from '../event-loop.ts'

export interface Rest {
  /** For how long a thread has nothing to do before it collects. */
  restMs: number
  /** Nothing to do is less than this share of a core. */
  restShare: number
  /** How much more of the heap must be in use than after the last collection. */
  growthBytes: number
}

/**
 * Collects the garbage of this thread once it has had nothing to do for a while. V8 gives memory back by itself only
 * after it has collected the old generation, which a thread hardly ever needs whose objects live for a packet or a call.
 */
export function collectAtRest({ restMs, restShare, growthBytes }: Rest): () => void {
  const collect = garbageCollector()
  let cpuMs = threadCpuMs()
  let collectedBytes = 0
  let isCollected = false
  let callOff = systemClock.after(restMs, look)

  function look(): void {
    if (threadCpuMs() - cpuMs >= restMs * restShare) isCollected = false
    else if (!isCollected && usedBytes() - collectedBytes >= growthBytes) {
      noteActivity('collecting garbage')
      collect()
      collectedBytes = usedBytes()
      isCollected = true
    }
    // The collection is not counted: it would look like work.
    cpuMs = threadCpuMs()
    callOff = systemClock.after(restMs, look)
  }

  return () => callOff()
}

/** Returns a function that collects the garbage of this thread. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Code that was compiled ahead is used only by a process with the flags that it was compiled with.
  setFlagsFromString('--no-expose-gc')
  return collect
}

const usedBytes = () => getHeapStatistics().used_heap_size
