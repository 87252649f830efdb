import type { Config } from '../config.ts'
import type { EmbeddedMediaOptions } from '../media/embedded/plane.ts'
import type { MediaAddress } from '../media/embedded/transport/ports.ts'
import type { MediaPort } from '../media/port.ts'
import { RTPENGINE_LIMITS } from '../media/rtpengine/limits.ts'
import { openRtpengineMedia } from '../media/rtpengine/plane.ts'
import { startMediaThreads } from '../media/thread/media-threads.ts'
import { systemClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

interface MediaParts {
  log: Log
  /** Of the edge: one, or one of each family. */
  addresses: MediaAddress[]
  quiet: EmbeddedMediaOptions['quiet']
}

/** The media of an edge: on threads of its own, or through rtpengine. */
export async function startMedia(
  { rtpengine, ports, law, opus, threads }: Config['media'],
  { log, addresses: [first, otherFamily], quiet = {} }: MediaParts,
): Promise<MediaPort & { shutdown(): Promise<void> }> {
  const options = { log, threads, ports, law, opus }
  if (!rtpengine)
    return startMediaThreads({ ...options, ...first!, ...(otherFamily && { otherFamily }), quiet })
  const embedded = await startMediaThreads({
    ...options,
    host: rtpengine.host,
    quiet: { againMs: RTPENGINE_LIMITS.quietCheckMs, ...quiet },
  })
  try {
    const { instances } = rtpengine
    return await openRtpengineMedia({ clock: systemClock, log, instances, embedded, law, opus, quiet })
  } catch (error) {
    await embedded.shutdown()
    throw error
  }
}
