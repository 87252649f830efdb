/** The program of the thread that media-thread.ts starts. */
import { systemClock } from '../../platform/clock.ts'
import { runBeforeMainThread } from '../../platform/thread/priority.ts'
import { serveThread } from '../../platform/thread/program.ts'
import { createEmbeddedMedia } from '../embedded/plane.ts'
import { loadDtls } from '../webrtc/certificate.ts'
import type { MediaThreadOptions } from './media-thread.ts'

/** Packets in a tick of 20 ms. Fewer are handled one by one: waking up every millisecond would cost more. */
const MANY_PACKETS = 40
/** More than there are in a tick, so that they last until the next one. */
const THROTTLED_TURNS = 40

export default () =>
  serveThread(async (options: MediaThreadOptions, { log, emit, throttleEventLoop }) => {
    await loadDtls()
    runBeforeMainThread()
    const { listen, ...methods } = createEmbeddedMedia({
      ...options,
      clock: systemClock,
      log,
      // Waking up for a packet costs as much as handling it. Network cards do the same (interrupt coalescing).
      afterTick: (packets) => throttleEventLoop(packets >= MANY_PACKETS ? THROTTLED_TURNS : 0),
    })
    listen(emit)
    return methods
  })
