import { inBackground } from '../../platform/background.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Law } from '../audio/g711.ts'
import type { QuietLimits } from '../embedded/media-leg.ts'
import type { EmbeddedMedia } from '../embedded/plane.ts'
import { MEDIA_LIMITS } from '../limits.ts'
import type { LegId, LegStatistics, MediaEvent, MediaPort, TaskId } from '../port.ts'
import { parseSdp } from '../sdp/parse.ts'
import { chooseAudio, familyOfAudio } from '../sdp/remote-audio.ts'
import { createConnections } from './connections.ts'
import { openInstances, type RtpengineAddress } from './control/instances.ts'
import { createDirectConnections } from './direct-connections.ts'
import type { LegGroup } from './leg-group.ts'
import { RTPENGINE_LIMITS } from './limits.ts'
import { createLostCalls } from './lost-calls.ts'
import type { NegotiatedRelayedLeg } from './relayed-leg.ts'
import { createRelayedLegs } from './relayed-legs.ts'
import { createUses } from './uses.ts'

export interface RtpengineMediaOptions {
  clock: Clock
  log: Log
  instances: RtpengineAddress[]
  /** The embedded plane, at an address that rtpengine reaches. It plays, listens, records and mixes. */
  embedded: EmbeddedMedia
  law: Law
  opus?: boolean
  quiet?: Partial<QuietLimits>
}

export interface RtpengineMedia extends MediaPort {
  shutdown(): Promise<void>
}

/**
 * Media through rtpengine. Whoever is on the phone talks to rtpengine only, which decrypts, and sends plain RTP to the
 * embedded plane: that does everything else. Two legs that only talk to each other are connected at rtpengine, and
 * their packets never reach this process.
 */
export async function openRtpengineMedia(options: RtpengineMediaOptions): Promise<RtpengineMedia> {
  const { clock, log, embedded, law } = options
  const legs = new Map<LegId, NegotiatedRelayedLeg>()
  /** Also of the ends of pairs, which rtpengine does not have. */
  const groups = new Map<LegId, LegGroup>()
  const listeners = new Set<(event: MediaEvent) => void>()
  const connections = createConnections()
  const uses = createUses()
  const { afterMs = MEDIA_LIMITS.quietMs, againMs = MEDIA_LIMITS.quietAgainMs } = options.quiet ?? {}
  const nowMs = () => clock.now().getTime()
  const direct = createDirectConnections({ legs, connections, uses, clock, updateLater })
  const { lose, ...lostCalls } = createLostCalls({ groups, clock, log, emit })
  const instances = await openInstances({ addresses: options.instances, clock, log, ...lostCalls })
  const { negotiate, create, close, removed } = createRelayedLegs({
    log,
    embedded,
    law,
    isOpusOn: options.opus !== false,
    instances,
    legs,
    groups,
    connections,
    uses,
    direct,
    lose,
  })

  function emit(event: MediaEvent): void {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (err) {
        log.error({ err, event: event.on }, 'a listener of media events failed')
      }
    }
  }

  const stopListening = embedded.listen((event) => {
    const leg = legs.get(event.leg)
    if (leg && event.on === 'leg.quiet') updateLater(leg.group, () => checkQuiet(leg, event.quietMs))
    else if (leg && event.on === 'leg.closed')
      emit({ ...event, statistics: direct.counted(leg, event.statistics) })
    else emit(event)
    if ('task' in event && uses.end(event.task)) updateLater(groups.get(event.leg))
  })

  /** In the queue of the group, while nobody waits for it. */
  function updateLater(group: LegGroup | undefined, work = async () => {}): void {
    if (!group) return
    const update = async () => {
      await work()
      await direct.update(group)
    }
    inBackground(log, 'connect legs at rtpengine', group.run(update))
  }

  /** Silence within this process means nothing while the packets pass elsewhere. */
  async function checkQuiet(leg: NegotiatedRelayedLeg, insideMs: number): Promise<void> {
    const quietMs = leg.peer ? await direct.quietMs(leg, nowMs()) : insideMs
    const limitMs = leg.transport === 'webrtc' ? Math.max(afterMs, MEDIA_LIMITS.browserQuietMs) : afterMs
    if (quietMs < limitMs || nowMs() - leg.quietMs < againMs) return
    leg.quietMs = nowMs()
    emit({ on: 'leg.quiet', leg: leg.id, quietMs })
  }

  const updateNow = async (group: LegGroup | undefined) => group?.run(() => direct.update(group))

  /** Something that needs the sound of the leg in this process. */
  async function inProcess<T>(id: LegId, work: () => Promise<T>): Promise<T> {
    const group = groups.get(id)
    const release = uses.hold(id)
    try {
      await updateNow(group)
      return await work()
    } finally {
      release()
      updateLater(group)
    }
  }

  const inTask = (id: LegId, work: () => Promise<TaskId>): Promise<TaskId> =>
    inProcess(id, async () => {
      const task = await work()
      uses.begin(id, task)
      return task
    })

  const updateGroupsOf = (ids: LegId[]) =>
    Promise.all(Array.from(new Set(ids.map((id) => groups.get(id))), updateNow))

  return {
    async createLeg(start) {
      if (!('offer' in start)) {
        const { transport, family } = start
        return create(start, { transport, family }, async (leg) => ({
          ok: true,
          sdp: await leg.offer('sendrecv'),
        }))
      }
      const parsed = parseSdp(start.offer)
      if (!parsed.ok) return parsed
      const chosen = chooseAudio(parsed.description, start.encryption ?? 'if_offered')
      if (!chosen.ok) return chosen
      const { transport } = chosen.audio
      const family = familyOfAudio(chosen.audio)
      return create(start, { transport, family }, (leg) => leg.answer(start.offer))
    },
    async createPair(near) {
      const pair = await embedded.createPair(near)
      connections.pair(pair[0].leg, pair[1].leg)
      const group = near === undefined ? undefined : groups.get(near)
      if (group) for (const { leg } of pair) groups.set(leg, group)
      return pair
    },
    async setRemote(id, { type, sdp }) {
      const leg = legs.get(id)
      if (!leg) return embedded.setRemote(id, { type, sdp })
      return negotiate(leg, () => (type === 'answer' ? leg.accept(sdp) : leg.answer(sdp)))
    },
    async hold(id, direction) {
      const leg = legs.get(id)
      return leg ? negotiate(leg, () => leg.offer(direction)) : embedded.hold(id, direction)
    },
    async reoffer(id) {
      const leg = legs.get(id)
      return leg ? negotiate(leg, () => leg.offer()) : embedded.reoffer(id)
    },
    async offerAnew(id, transport, family) {
      const leg = legs.get(id)
      if (!leg) return embedded.offerAnew(id, transport, family)
      return negotiate(leg, () => leg.offerAnew(transport, family))
    },
    async bridge(a, b) {
      await embedded.bridge(a, b)
      const before = [...connections.way(a), ...connections.way(b)]
      connections.bridge(a, b)
      await updateGroupsOf([a, b, ...before])
    },
    async mix(ids) {
      for (const id of ids) connections.separate(id)
      await updateGroupsOf(ids)
      await embedded.mix(ids)
    },
    async separate(id) {
      connections.separate(id)
      await updateGroupsOf([id])
      await embedded.separate(id)
    },
    play: (id, sound, play) => inTask(id, () => embedded.play(id, sound, play)),
    collectDigits: (id, collect) => inTask(id, () => embedded.collectDigits(id, collect)),
    record: (id, record) => inTask(id, () => embedded.record(id, record)),
    sendDigits: (id, digits) =>
      inProcess(id, async () => {
        await embedded.sendDigits(id, digits)
        const release = uses.hold(id)
        const { dtmfToneMs, dtmfPauseMs } = MEDIA_LIMITS
        clock.after(digits.length * (dtmfToneMs + dtmfPauseMs) + RTPENGINE_LIMITS.afterDigitsMs, () => {
          release()
          updateLater(groups.get(id))
        })
      }),
    pressed: (id, digit) => embedded.pressed(id, digit),
    pauseRecording: (task) => embedded.pauseRecording(task),
    resumeRecording: (task) => embedded.resumeRecording(task),
    stop: (task) => embedded.stop(task),
    async statistics(id): Promise<LegStatistics> {
      const leg = legs.get(id)
      const inside = await embedded.statistics(id)
      if (!leg) return inside
      if (leg.peer) await leg.group.run(() => direct.count(leg))
      return direct.counted(leg, inside)
    },
    close,
    portUsage: () => embedded.portUsage(),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async shutdown() {
      await Promise.all([...legs.keys()].map(close))
      await removed()
      await embedded.shutdown()
      stopListening()
      instances.close()
    },
  }
}
