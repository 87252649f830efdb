import type {
  CollectEnd,
  CollectOptions,
  LegId,
  MediaEvent,
  MediaPort,
  PlaybackSource,
  PlayEnd,
  PlayOptions,
  RecordEnd,
  RecordOptions,
  TaskId,
} from '../../media/port.ts'

export interface RecordingResult {
  file: string
  durationMs: number
  why: RecordEnd
}

type Ended = Extract<MediaEvent, { task: TaskId }>

/** Playback, digits and recordings as promises that resolve when each has ended. */
export interface MediaOperations {
  play(leg: LegId, sound: PlaybackSource, options?: PlayOptions): Promise<PlayEnd>
  /** Plays until stopped or replaced. */
  loop(leg: LegId, sound: PlaybackSource): Promise<() => void>
  collect(leg: LegId, options: CollectOptions): Promise<DigitCollection>
  record(leg: LegId, options: RecordOptions): Promise<RunningRecording>
}

export interface DigitCollection {
  ended: Promise<{ digits: string; why: CollectEnd }>
  stop(): void
}

export interface RunningRecording {
  ended: Promise<RecordingResult>
  /** False if it has ended. */
  pause(): Promise<boolean>
  /** False if it has ended. */
  resume(): Promise<boolean>
  stop(): void
}

export function createMediaOperations(media: MediaPort): MediaOperations & { close(): void } {
  const waiting = new Map<TaskId, (event: Ended) => void>()
  /** Tasks that ended before anybody waited for them. */
  const early = new Map<TaskId, Ended>()
  const close = media.listen((event) => {
    if (!('task' in event)) return
    const tell = waiting.get(event.task)
    if (tell) tell(event)
    else early.set(event.task, event)
    waiting.delete(event.task)
  })

  const ended = <E extends Ended>(task: TaskId) =>
    new Promise<E>((resolve) => {
      const over = early.get(task)
      early.delete(task)
      if (over) resolve(over as E)
      else waiting.set(task, resolve as (event: Ended) => void)
    })
  /** For a task whose end nobody waits for. */
  const forget = (task: TaskId) => {
    if (!early.delete(task)) waiting.set(task, () => {})
  }
  const stop = (task: TaskId) => {
    // Fails if the task has already ended, which does not matter.
    media.stop(task).catch(() => {})
  }

  return {
    async play(leg, sound, options) {
      const task = await media.play(leg, sound, options)
      return (await ended<Extract<Ended, { on: 'play.ended' }>>(task)).why
    },
    async loop(leg, sound) {
      const task = await media.play(leg, sound, { loop: true })
      forget(task)
      return () => stop(task)
    },
    async collect(leg, options) {
      const task = await media.collectDigits(leg, options)
      return { ended: ended<Extract<Ended, { on: 'digits.collected' }>>(task), stop: () => stop(task) }
    },
    async record(leg, options) {
      const task = await media.record(leg, options)
      return {
        ended: ended<Extract<Ended, { on: 'recording.ended' }>>(task),
        pause: () => media.pauseRecording(task),
        resume: () => media.resumeRecording(task),
        stop: () => stop(task),
      }
    },
    close,
  }
}
