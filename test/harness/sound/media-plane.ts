import type { QuietLimits } from '../../../server/media/embedded/media-leg.ts'
import { createEmbeddedMedia, type EmbeddedMedia } from '../../../server/media/embedded/plane.ts'
import type { MediaAddress, PortRange } from '../../../server/media/embedded/transport/ports.ts'
import type { LegStart, MediaEvent, MediaPort } from '../../../server/media/port.ts'
import { openRtpengineMedia } from '../../../server/media/rtpengine/plane.ts'
import { startMediaThreads } from '../../../server/media/thread/media-threads.ts'
import { type Clock, systemClock } from '../../../server/platform/clock.ts'
import { createLog } from '../../../server/platform/log.ts'
import { MEDIA_PORTS } from '../processes/media-ports.ts'
import { type PhoneOptions, RTPENGINE_BURST, startPhone } from './rtp-phone.ts'
import type { Rtpengine } from './rtpengine.ts'

const PATIENCE_MS = 30_000
const log = createLog({ level: 'warn' })

const PLANE = { log, host: '127.0.0.1', ports: MEDIA_PORTS, law: 'pcma' } as const

/** A media plane in this thread, with phones. */
export const openMediaPlane = ({
  clock = systemClock,
  ...more
}: { clock?: Clock; ports?: PortRange; otherFamily?: MediaAddress } = {}): MediaPlane =>
  withPhones(createEmbeddedMedia({ ...PLANE, clock, ...more }))

/** The same on a thread of its own, as an edge has it. */
export const openMediaThread = async (more: { ports?: PortRange } = {}): Promise<MediaPlane> =>
  withPhones(await startMediaThreads({ ...PLANE, ...more, threads: 1 }))

/** On two threads, which take legs in turn. */
export const openTwoMediaThreads = async (
  more: { ports?: PortRange; idleMs?: number } = {},
): Promise<MediaPlane> =>
  withPhones(await startMediaThreads({ ...PLANE, ...more, threads: 2, legsPerThread: 0 }))

/** The same through rtpengine; `embedded` is the part of it in this thread. */
export async function openRtpenginePlane(
  rtpengines: Rtpengine[],
  more: { ports?: PortRange; quiet?: Partial<QuietLimits> } = {},
): Promise<MediaPlane & { embedded: EmbeddedMedia }> {
  const embedded = createEmbeddedMedia({ ...PLANE, clock: systemClock, ...more })
  const instances = rtpengines.map(({ address }) => address)
  const media = await openRtpengineMedia({ ...PLANE, clock: systemClock, ...more, embedded, instances })
  return { ...withPhones(media, { burstMax: RTPENGINE_BURST }), embedded }
}

/** The phones are hung up at the end. */
function withPhones(media: MediaPort & { shutdown(): Promise<void> }, phones: PhoneOptions = {}) {
  const events: MediaEvent[] = []
  const watchers = new Set<() => void>()
  media.listen((event) => {
    events.push(event)
    for (const watch of watchers) watch()
  })
  const endings: (() => void)[] = []
  return {
    media,
    events,
    /** A phone that has called, with its leg. */
    async call({ near, ...options }: PhoneOptions & Pick<LegStart, 'near'> = {}) {
      const opus = options.codec === 'opus'
      const phone = await startPhone({ ...phones, ...options })
      endings.push(() => phone.close())
      const created = await media.createLeg({ offer: phone.sdp(), opus, ...(near !== undefined && { near }) })
      if (!created.ok) throw new Error(created.why)
      phone.setRemote(created.sdp)
      return { phone, leg: created.leg, sdp: created.sdp }
    },
    /** The first event that matches, including past ones. */
    event<On extends MediaEvent['on']>(
      on: On,
      fits: (event: Extract<MediaEvent, { on: On }>) => boolean = () => true,
    ): Promise<Extract<MediaEvent, { on: On }>> {
      return new Promise((resolve, reject) => {
        const timeout = setTimeout(() => {
          watchers.delete(look)
          reject(new Error(`waited in vain for ${on}; there was ${JSON.stringify(events)}`))
        }, PATIENCE_MS)
        function look(): void {
          const found = events.find(
            (event): event is Extract<MediaEvent, { on: On }> =>
              event.on === on && fits(event as Extract<MediaEvent, { on: On }>),
          )
          if (!found) return
          watchers.delete(look)
          clearTimeout(timeout)
          resolve(found)
        }
        watchers.add(look)
        look()
      })
    },
    async close(): Promise<void> {
      for (const end of endings.splice(0)) end()
      await media.shutdown()
    },
  }
}

export type MediaPlane = ReturnType<typeof withPhones>
