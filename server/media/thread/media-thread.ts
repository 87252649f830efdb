import type { Log } from '../../platform/log.ts'
import { startThread } from '../../platform/thread/thread.ts'
import type { EmbeddedMedia, EmbeddedMediaOptions } from '../embedded/plane.ts'
import { type MediaEvent, MediaFailed } from '../port.ts'
import { createSharedSounds } from './shared-sounds.ts'

export type MediaThreadOptions = Omit<EmbeddedMediaOptions, 'clock' | 'log' | 'afterTick'>

/**
 * The embedded media on a thread of its own, with its sockets and its clock: whatever signalling, the API and the
 * database client do meanwhile, nobody hears it.
 */
export async function startMediaThread({
  log,
  ...options
}: MediaThreadOptions & { log: Log }): Promise<EmbeddedMedia> {
  const { calls, listen, close } = await startThread<EmbeddedMedia, MediaEvent>({
    name: 'media',
    program: 'media/thread',
    options,
    log,
    failure: (why, message) => new MediaFailed(why as MediaFailed['why'], message),
  })
  const sounds = createSharedSounds()
  let closing: Promise<void> | undefined
  return {
    ...calls,
    play: (leg, sound, playOptions) => calls.play(leg, sounds.share(sound), playOptions),
    listen,
    shutdown: () => (closing ??= calls.shutdown().then(close)),
  }
}
