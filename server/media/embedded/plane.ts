import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { MessagePort } from 'node:worker_threads'

import { inBackground } from '../../platform/background.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { isDigit } from '../audio/dtmf.ts'
import type { Law } from '../audio/g711.ts'
import { createOpusCodecs } from '../audio/opus.ts'
import { createFrameClock } from '../frame-clock.ts'
import { MEDIA_LIMITS } from '../limits.ts'
import { monotonicClock } from '../monotonic-clock.ts'
import {
  type IpFamily,
  type LegId,
  type LegStart,
  MediaFailed,
  type MediaEvent,
  type MediaPort,
  type TaskId,
} from '../port.ts'
import type { OpusBand } from '../sdp/codecs.ts'
import { parseSdp } from '../sdp/parse.ts'
import { refuseSdp } from '../sdp/refusal.ts'
import { chooseAudio, familyOfAudio, type Transport } from '../sdp/remote-audio.ts'
import { createRecorder } from '../stages/recorder.ts'
import { createSoundLibrary } from '../stages/sound-library.ts'
import { createBridges } from './bridges.ts'
import type { MediaLeg, MediaWork, QuietLimits } from './media-leg.ts'
import {
  createLinkedLeg,
  createNegotiatedLeg,
  type NegotiatedLeg,
  type NegotiatedLegParts,
} from './negotiated-leg.ts'
import { createBrowserPort } from './transport/browser-port.ts'
import { createLinkedTransports } from './transport/linked-transports.ts'
import { createPortPool, type MediaAddress, type PortRange } from './transport/ports.ts'
import { createThreadLink } from './transport/thread-link.ts'

export interface EmbeddedMediaOptions extends MediaAddress {
  clock: Clock
  log: Log
  /** The address in the other family, if both are used. */
  otherFamily?: MediaAddress
  ports: PortRange
  /** The law of the country: offered first, and accepted if offered. */
  law: Law
  /** If false, no leg uses Opus, whatever its options say. */
  opus?: boolean
  /** Begins the ids of legs and tasks, which are then unique among several planes. */
  idPrefix?: string
  /** Called every 20 ms with the number of packets that were received since. */
  afterTick?: (packets: number) => void
  /** Shorter in tests. */
  quiet?: Partial<QuietLimits>
}

export interface EmbeddedMedia extends MediaPort {
  /**
   * Bridges the leg with the other end of the channel, or mixes the legs with the other ends: legs of planes in other
   * threads. A leg that is connected otherwise closes its channel, and the leg at the other end is then alone.
   */
  connectThreads(legs: LegId[], channels: MessagePort[], how: 'bridge' | 'mix'): Promise<void>
  /** Closes all legs; resolves when all recordings are complete. */
  shutdown(): Promise<void>
}

const hear = ({ ear }: MediaLeg) => ear.tick()

/** The media of all calls of this process, on its own UDP ports. */
export function createEmbeddedMedia(options: EmbeddedMediaOptions): EmbeddedMedia {
  const { log, host, advertised, otherFamily, ports, idPrefix = '' } = options
  const clock = monotonicClock(options.clock)
  const listeners = new Set<(event: MediaEvent) => void>()
  const parties = new Map<string, NegotiatedLeg>()
  const groups = createBridges()
  const library = createSoundLibrary(clock)
  const own: MediaAddress = { host, ...(advertised !== undefined && { advertised }) }
  const pool = createPortPool(otherFamily ? [own, otherFamily] : [own], ports, randomInt(1_000_000))
  const browsers = createBrowserPort(pool, log)
  const frames = createFrameClock(clock)
  let stopFrames: (() => void) | undefined
  const work: MediaWork = { packets: 0, awake: new Set(), listenedTo: new Set() }
  /** When all legs are looked after again, not only those that are awake. */
  let roundMs = 0
  let ids = 0
  const newLeg = (): LegId => `leg-${idPrefix}${++ids}`
  /** Legs that stand for those in other threads. */
  const links = new Set<MediaLeg>()
  const { nowMs } = clock
  const emit = (event: MediaEvent) => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (err) {
        log.error({ err, event: event.on }, 'a listener of media events failed')
      }
    }
  }
  const parts: NegotiatedLegParts = {
    log,
    nowMs,
    emit,
    work,
    pool,
    browsers,
    address: advertised ?? host,
    quiet: {
      afterMs: MEDIA_LIMITS.quietMs,
      againMs: MEDIA_LIMITS.quietAgainMs,
      browserAfterMs: options.quiet?.afterMs ?? MEDIA_LIMITS.browserQuietMs,
      ...options.quiet,
    },
    opus: createOpusCodecs(log),
    laws: options.law === 'pcma' ? ['pcma', 'pcmu'] : ['pcmu', 'pcma'],
  }

  function tick(atMs: number): void {
    const isRound = atMs >= roundMs
    if (isRound) roundMs = atMs + MEDIA_LIMITS.idleLegMs
    each([...work.listenedTo], hear, atMs)
    const legs = isRound ? Array.from(parties.values(), ({ leg }) => leg) : [...work.awake]
    groups.tick(legs, atMs, end)
    each(legs, speak, atMs)
    options.afterTick?.(work.packets)
    work.packets = 0
  }

  function speak(leg: MediaLeg, atMs: number): void {
    const party = parties.get(leg.id)
    if (!party) {
      work.awake.delete(leg)
      return
    }
    party.tasks.tick(atMs)
    leg.tick(atMs)
    if (party.tasks.areIdle()) work.awake.delete(leg)
    else leg.wake()
  }

  /** An error in one call must not affect the others. */
  function each(legs: MediaLeg[], run: (leg: MediaLeg, atMs: number) => void, atMs: number): void {
    for (const leg of legs) {
      try {
        run(leg, atMs)
      } catch (err) {
        end(leg, err)
      }
    }
  }

  function end({ id }: MediaLeg, err: unknown): void {
    log.error({ err, leg: id }, 'a leg was ended because its media failed')
    inBackground(log, 'end a leg', close(id))
  }

  function find(id: string): NegotiatedLeg {
    const party = parties.get(id)
    if (!party) throw new MediaFailed('leg_gone', `The leg ${id} is gone.`)
    return party
  }

  /** A leg that talks to G.711 is asked for no more than that can carry. */
  function opusFor({ opus = false, isNarrowband, near }: LegStart): OpusBand | undefined {
    if (!opus || options.opus === false) return undefined
    const other = near === undefined ? undefined : parties.get(near)?.leg.codec()
    return (isNarrowband ?? (other && other !== 'opus')) ? 'narrow' : 'full'
  }

  async function begin(
    transport: Transport,
    family: IpFamily | undefined,
    wanted: LegStart,
  ): Promise<NegotiatedLeg> {
    const { encryption = 'if_offered' } = wanted
    const start = { transport, encryption, family, opus: opusFor(wanted) }
    return add(await createNegotiatedLeg(newLeg(), start, parts))
  }

  function add(party: NegotiatedLeg): NegotiatedLeg {
    parties.set(party.leg.id, party)
    party.leg.wake()
    stopFrames ??= frames.each(tick)
    return party
  }

  async function close(id: string): Promise<void> {
    const party = parties.get(id)
    if (!party) return
    parties.delete(id)
    const isLink = links.delete(party.leg)
    connect(() => groups.separate(party.leg))
    work.awake.delete(party.leg)
    work.listenedTo.delete(party.leg)
    if (parties.size === 0) {
      stopFrames?.()
      stopFrames = undefined
    }
    try {
      await party.tasks.close()
    } finally {
      party.leg.close()
      if (!isLink) emit({ on: 'leg.closed', leg: id, statistics: party.leg.statistics() })
    }
  }

  /** A leg of ours that stands for one in another thread. Nobody hears of it. */
  function addThreadLink(channel: MessagePort): MediaLeg {
    const link = add(createLinkedLeg(newLeg(), createThreadLink(channel, log), { ...parts, emit() {} }))
    // Both ends agree, because both planes have the same settings.
    agreeWithItself(link)
    links.add(link.leg)
    channel.once('close', () => inBackground(log, 'close a link to another thread', close(link.leg.id)))
    return link.leg
  }

  /** After every change of who hears whom. */
  function closeUnusedLinks(): void {
    for (const link of links) {
      if (!link.peer && link.mixedWith.length < 2)
        inBackground(log, 'close a link to another thread', close(link.id))
    }
  }

  function connect(change: () => void): void {
    change()
    if (links.size > 0) closeUnusedLinks()
  }

  async function answer(start: LegStart & { offer: string }) {
    const { offer, encryption = 'if_offered' } = start
    const parsed = parseSdp(offer)
    if (!parsed.ok) return parsed
    const chosen = chooseAudio(parsed.description, encryption)
    if (!chosen.ok) return chosen
    const party = await begin(chosen.audio.transport, familyOfAudio(chosen.audio), start)
    const answered = party.answer(parsed.description)
    if (answered.ok) return { ok: true, leg: party.leg.id, sdp: answered.sdp } as const
    await close(party.leg.id)
    return answered
  }

  const newTask = (): TaskId => `task-${idPrefix}${++ids}`

  /** Stops at the leg that has the task; false if none has. */
  function someTasks(run: (tasks: NegotiatedLeg['tasks']) => boolean): boolean {
    for (const { tasks } of parties.values()) if (run(tasks)) return true
    return false
  }

  return {
    async createLeg(start: LegStart) {
      if ('offer' in start) return answer(start)
      const party = await begin(start.transport, start.family, start)
      return { ok: true, leg: party.leg.id, sdp: party.offer('sendrecv') }
    },
    async createPair() {
      const [first, second] = createLinkedTransports(log)
      const offering = add(createLinkedLeg(newLeg(), first, parts))
      const answering = add(createLinkedLeg(newLeg(), second, parts))
      const sdp = offering.offer('sendrecv')
      const description = parseSdp(sdp)
      assert(description.ok)
      const answered = answering.answer(description.description)
      assert(answered.ok)
      return [
        { leg: offering.leg.id, sdp },
        { leg: answering.leg.id, sdp: answered.sdp },
      ]
    },
    async setRemote(id, { type, sdp }) {
      const party = find(id)
      if (type === 'answer') return party.accept(sdp)
      const parsed = parseSdp(sdp)
      if (!parsed.ok) return refuseSdp(parsed.why)
      await party.followFamily(parsed.description)
      return party.answer(parsed.description)
    },
    hold: async (id, direction) => find(id).offer(direction),
    reoffer: async (id) => find(id).offer(),
    async offerAnew(id, transport, family) {
      if (family) await find(id).useFamily(family)
      return find(id).offerAnew(transport)
    },
    bridge: async (a, b) => {
      const [first, second] = [find(a).leg, find(b).leg]
      connect(() => groups.bridge(first, second))
    },
    async mix(ids) {
      const legs = [...new Set(ids)].slice(0, MEDIA_LIMITS.mixLegsMax).map((id) => find(id).leg)
      connect(() => groups.mix(legs))
    },
    async separate(id) {
      const { leg } = find(id)
      connect(() => groups.separate(leg))
    },
    async connectThreads(ids, channels, how) {
      try {
        const legs = ids.map((id) => find(id).leg)
        const all = [...legs, ...channels.map(addThreadLink)]
        connect(() => (how === 'mix' ? groups.mix(all) : groups.bridge(all[0]!, all[1]!)))
      } catch (error) {
        for (const channel of channels) channel.close()
        throw error
      }
    },
    async play(id, sound, playOptions = {}) {
      find(id)
      const loaded = await library.load(sound)
      const task = newTask()
      const loops = playOptions.loop ?? loaded.loops
      find(id).tasks.play(task, loaded, { ...playOptions, loop: loops }, nowMs())
      return task
    },
    async collectDigits(id, collectOptions) {
      const task = newTask()
      find(id).tasks.collect(task, collectOptions, nowMs())
      return task
    },
    sendDigits: async (id, digits) => find(id).leg.voice.press(digits.filter(isDigit)),
    pressed: async (id, digit) => find(id).leg.onDigit(digit, nowMs()),
    async record(id, recordOptions) {
      find(id)
      const recorder = await createRecorder(recordOptions)
      const task = newTask()
      if (!parties.has(id)) {
        await recorder.close()
        await rm(recordOptions.file, { force: true })
      }
      find(id).tasks.record(task, recorder, recordOptions, nowMs())
      return task
    },
    pauseRecording: async (task) => someTasks((tasks) => tasks.pause(task)),
    resumeRecording: async (task) => someTasks((tasks) => tasks.resume(task, nowMs())),
    async stop(task) {
      someTasks((tasks) => tasks.stop(task))
    },
    statistics: async (id) => find(id).leg.statistics(),
    close,
    portUsage: async () => pool.usage(),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async shutdown() {
      await Promise.all([...parties.keys()].map(close))
      await browsers.close()
    },
  }
}

/** Negotiates a session without another side. */
function agreeWithItself(link: NegotiatedLeg): void {
  const offered = parseSdp(link.offer('sendrecv'))
  assert(offered.ok && link.answer(offered.description).ok)
}
