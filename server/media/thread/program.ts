/** The program of the thread that media-thread.ts starts. */
import { systemClock } from '../../platform/clock.ts'
import { runBeforeMainThread } from '../../platform/thread/priority.ts'
import { serveThread } from '../../platform/thread/program.ts'
import { createEmbeddedMedia } from '../embedded/plane.ts'
import { loadDtls } from '../webrtc/certificate.ts'
import type { MediaThreadOptions } from './media-thread.ts'

await serveThread(async (options: MediaThreadOptions, { log, emit }) => {
  await loadDtls()
  runBeforeMainThread()
  const { listen, ...methods } = createEmbeddedMedia({ ...options, clock: systemClock, log })
  listen(emit)
  return methods
})
