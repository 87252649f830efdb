import { MessageChannel, type MessagePort } from 'node:worker_threads'

import { inBackground } from '../../platform/background.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { EmbeddedMedia } from '../embedded/plane.ts'
import { MEDIA_LIMITS } from '../limits.ts'
import type { LegId, MediaEvent } from '../port.ts'
import { type MediaThread, type MediaThreadOptions, startMediaThread } from './media-thread.ts'
import { createSharedSounds } from './shared-sounds.ts'

interface MediaThreadsOptions extends Omit<MediaThreadOptions, 'idPrefix'> {
  log: Log
  /** At most so many. */
  threads: number
  /** So many legs are on a thread before the next one is started. */
  legsPerThread?: number
  /** A thread without legs for this long is ended, except the first one. */
  idleMs?: number
}

interface StartedThread extends MediaThread {
  /** In the ids of its legs and tasks. Never given again: the id of a leg that is gone must not name another. */
  serial: number
  name: string
  legs: Set<LegId>
  /** Those that are being created. */
  creating: number
  callOffEnd: () => void
}

/**
 * The embedded media on threads of its own: whatever signalling, the API and the database client do meanwhile, nobody
 * hears it. There is one thread until it has work enough for another, which ends when it has had none for a while. A
 * leg stays on the thread on which it was created; legs of two threads that are connected send each other their packets
 * through a channel.
 */
export async function startMediaThreads({
  log,
  threads: most,
  legsPerThread = MEDIA_LIMITS.threadLegsFull,
  idleMs = MEDIA_LIMITS.threadIdleMs,
  ...options
}: MediaThreadsOptions): Promise<EmbeddedMedia> {
  const threads: StartedThread[] = []
  const listeners = new Set<(event: MediaEvent) => void>()
  const sounds = createSharedSounds()
  let started = 0
  let starting = false
  let closing: Promise<void> | undefined

  async function start(): Promise<void> {
    const serial = started++
    const name = freeName()
    const opened = await startMediaThread({ ...options, log, name, idPrefix: `${serial}-` })
    if (closing) return opened.close()
    const thread = { ...opened, serial, name, legs: new Set<LegId>(), creating: 0, callOffEnd() {} }
    thread.listen((event) => {
      if (event.on === 'leg.closed') thread.legs.delete(event.leg)
      endIfIdle(thread)
      tell(event)
    })
    threads.push(thread)
    endIfIdle(thread)
  }

  /** Metrics have it, so it is given again. */
  function freeName(): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? 'media' : `media-${number}`
      if (threads.every((thread) => thread.name !== name)) return name
    }
  }

  /** A thread takes tens of megabytes. */
  function endIfIdle(thread: StartedThread): void {
    thread.callOffEnd()
    if (closing || thread === threads[0] || load(thread) > 0) return
    thread.callOffEnd = systemClock.after(idleMs, () => {
      threads.splice(threads.indexOf(thread), 1)
      inBackground(log, 'end a media thread', close(thread))
    })
  }

  async function close({ calls, close: end, callOffEnd }: StartedThread): Promise<void> {
    callOffEnd()
    await calls.shutdown()
    await end()
  }

  function tell(event: MediaEvent): void {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (err) {
        log.error({ err, event }, 'a listener of the media threads failed')
      }
    }
  }

  const load = ({ legs, creating }: StartedThread) => legs.size + creating
  const areFull = () => threads.every((thread) => load(thread) >= legsPerThread)

  /** A thread that is not full, so that the others can sleep; otherwise the one with the fewest legs. */
  function choose(): StartedThread {
    if (areFull() && threads.length < most && !starting) {
      starting = true
      inBackground(
        log,
        'start another media thread',
        start().finally(() => (starting = false)),
      )
    }
    const least = threads.reduce((a, b) => (load(b) < load(a) ? b : a))
    return threads.find((thread) => load(thread) < legsPerThread) ?? least
  }

  /** An id, also that of a task, names its thread. One that was never given is gone on every thread. */
  function threadOf(id: LegId): StartedThread {
    const serial = Number(/^[a-z]+-(\d+)-/.exec(id)?.[1] ?? 0)
    return threads.find((thread) => thread.serial === serial) ?? threads[0]!
  }

  /** Legs count before they are there, so that those of a burst are spread. */
  async function create<T>(
    near: LegId | undefined,
    run: (calls: MediaThread['calls']) => Promise<T>,
    legsOf: (created: T) => LegId[],
  ): Promise<T> {
    const thread = near === undefined ? choose() : threadOf(near)
    thread.creating++
    thread.callOffEnd()
    try {
      const created = await run(thread.calls)
      for (const leg of legsOf(created)) thread.legs.add(leg)
      return created
    } finally {
      thread.creating--
      endIfIdle(thread)
    }
  }

  async function bridge(a: LegId, b: LegId): Promise<void> {
    const [first, second] = [threadOf(a), threadOf(b)]
    if (first === second) return first.calls.bridge(a, b)
    const { port1, port2 } = new MessageChannel()
    await Promise.all([
      first.calls.connectThreads([a], [port1], 'bridge'),
      second.calls.connectThreads([b], [port2], 'bridge'),
    ])
  }

  async function mix(ids: LegId[]): Promise<void> {
    const legs = [...new Set(ids)].slice(0, MEDIA_LIMITS.mixLegsMax)
    const home = busiest(legs)
    const near = legs.filter((leg) => threadOf(leg) === home)
    if (near.length === legs.length) return home.calls.mix(legs)
    const channels: MessagePort[] = []
    const bridges = legs.flatMap((leg) => {
      if (threadOf(leg) === home) return []
      const { port1, port2 } = new MessageChannel()
      channels.push(port1)
      return [threadOf(leg).calls.connectThreads([leg], [port2], 'bridge')]
    })
    await Promise.all([home.calls.connectThreads(near, channels, 'mix'), ...bridges])
  }

  /** The thread with most of these legs. */
  function busiest(legs: LegId[]): StartedThread {
    const count = (thread: StartedThread) => legs.filter((leg) => threadOf(leg) === thread).length
    return threads.reduce((a, b) => (count(b) > count(a) ? b : a))
  }

  async function shutdown(): Promise<void> {
    await Promise.all(threads.map(close))
  }

  await start()
  while (threads.length < most && areFull()) await start()
  return {
    createLeg: (wanted) =>
      create(
        wanted.near,
        (calls) => calls.createLeg(wanted),
        (created) => (created.ok ? [created.leg] : []),
      ),
    createPair: (near) =>
      create(
        near,
        (calls) => calls.createPair(),
        (pair) => pair.map(({ leg }) => leg),
      ),
    setRemote: (leg, remote) => threadOf(leg).calls.setRemote(leg, remote),
    hold: (leg, direction) => threadOf(leg).calls.hold(leg, direction),
    reoffer: (leg) => threadOf(leg).calls.reoffer(leg),
    offerAnew: (leg, transport, family) => threadOf(leg).calls.offerAnew(leg, transport, family),
    bridge,
    mix,
    connectThreads: (legs, channels, how) => threadOf(legs[0]!).calls.connectThreads(legs, channels, how),
    separate: (leg) => threadOf(leg).calls.separate(leg),
    play: (leg, sound, play) => threadOf(leg).calls.play(leg, sounds.share(sound), play),
    collectDigits: (leg, collect) => threadOf(leg).calls.collectDigits(leg, collect),
    sendDigits: (leg, digits) => threadOf(leg).calls.sendDigits(leg, digits),
    pressed: (leg, digit) => threadOf(leg).calls.pressed(leg, digit),
    record: (leg, record) => threadOf(leg).calls.record(leg, record),
    pauseRecording: (task) => threadOf(task).calls.pauseRecording(task),
    resumeRecording: (task) => threadOf(task).calls.resumeRecording(task),
    stop: (task) => threadOf(task).calls.stop(task),
    statistics: (leg) => threadOf(leg).calls.statistics(leg),
    close: (leg) => threadOf(leg).calls.close(leg),
    async portUsage() {
      // All threads take their ports from the same range.
      const usages = await Promise.all(threads.map(({ calls }) => calls.portUsage()))
      return { inUse: usages.reduce((sum, { inUse }) => sum + inUse, 0), total: usages[0]!.total }
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    shutdown: () => (closing ??= shutdown()),
  }
}
