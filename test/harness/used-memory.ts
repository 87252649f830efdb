import { garbageCollector } from '../../server/platform/thread/collect-at-rest.ts'

const collectGarbage = garbageCollector()

/** Bytes of this thread's heap that are in use, without garbage. */
export function usedMemory(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
