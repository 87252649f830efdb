import type {
  CollectEnd,
  CollectOptions,
  LegId,
  MediaEvent,
  MediaPort,
  PlayEnd,
  PlayOptions,
  RecordEnd,
  RecordOptions,
  Sound,
  TaskId,
} from '../media/port.ts'

export interface Recorded {
  file: string
  durationMs: number
  why: RecordEnd
}

type Ended = Extract<MediaEvent, { task: TaskId }>

/** Sounds, keys and recordings as promises: each resolves when what it began is over. */
export interface Sounds {
  play(leg: LegId, sound: Sound, options?: PlayOptions): Promise<PlayEnd>
  /** Until it is stopped or replaced. */
  loop(leg: LegId, sound: Sound): Promise<() => void>
  collect(leg: LegId, options: CollectOptions): Promise<Collecting>
  record(leg: LegId, options: RecordOptions): Promise<Recording>
}

export interface Collecting {
  ended: Promise<{ digits: string; why: CollectEnd }>
  stop(): void
}

export interface Recording {
  ended: Promise<Recorded>
  stop(): void
}

/** `onLeg` hears what concerns a leg as a whole. */
export function followSounds(
  media: MediaPort,
  onLeg: (event: MediaEvent) => void,
): Sounds & { close(): void } {
  const waiting = new Map<TaskId, (event: Ended) => void>()
  const close = media.listen((event) => {
    if (!('task' in event)) return onLeg(event)
    waiting.get(event.task)?.(event)
    waiting.delete(event.task)
  })

  const ended = <E extends Ended>(task: TaskId) =>
    new Promise<E>((resolve) => waiting.set(task, resolve as (event: Ended) => void))
  const stop = (task: TaskId) => void media.stop(task).catch(() => {})

  return {
    async play(leg, sound, options) {
      const task = await media.play(leg, sound, options)
      return (await ended<Extract<Ended, { on: 'play.ended' }>>(task)).why
    },
    async loop(leg, sound) {
      const task = await media.play(leg, sound, { loop: true })
      return () => stop(task)
    },
    async collect(leg, options) {
      const task = await media.collectDigits(leg, options)
      return { ended: ended<Extract<Ended, { on: 'digits.collected' }>>(task), stop: () => stop(task) }
    },
    async record(leg, options) {
      const task = await media.record(leg, options)
      return { ended: ended<Extract<Ended, { on: 'recording.ended' }>>(task), stop: () => stop(task) }
    },
    close,
  }
}
