import type { Log } from '../../platform/log.ts'
import { startThread } from '../../platform/thread/thread.ts'
import type { EmbeddedMedia, EmbeddedMediaOptions } from '../embedded/plane.ts'
import { type MediaEvent, MediaFailed } from '../port.ts'

export type MediaThreadOptions = Omit<EmbeddedMediaOptions, 'clock' | 'log' | 'afterTick'>

/** The embedded media on a thread of its own, with its sockets and its clock. */
export const startMediaThread = ({
  log,
  name,
  ...options
}: MediaThreadOptions & { log: Log; name: string }) =>
  startThread<EmbeddedMedia, MediaEvent>({
    name,
    program: 'media/thread',
    options,
    log,
    failure: (why, message) => new MediaFailed(why as MediaFailed['why'], message),
  })

export type MediaThread = Awaited<ReturnType<typeof startMediaThread>>
