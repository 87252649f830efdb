import type { Digit } from '../audio/dtmf.ts'
import { FRAME_SAMPLES } from '../audio/frame.ts'
import { renderTone, TONES } from '../audio/tones.ts'
import { MEDIA_LIMITS } from '../limits.ts'
import type {
  CollectEnd,
  CollectOptions,
  MediaEvent,
  PlayEnd,
  PlayOptions,
  RecordEnd,
  RecordOptions,
  TaskId,
} from '../port.ts'
import { createDigitCollector, type DigitCollector } from '../stages/digit-collector.ts'
import { createInBandDigits } from '../stages/in-band-digits.ts'
import { createPlayer, type EncodedSound } from '../stages/player.ts'
import type { Recorder } from '../stages/recorder.ts'
import type { MediaLeg } from './media-leg.ts'

interface Recording {
  task: TaskId
  file: string
  recorder: Recorder
  /** Infinity while it is paused. */
  pausedUntilMs: number
  warning: { everyMs: number; nextMs: number } | undefined
  stopListening: () => void
  /** The leg on the right channel. */
  other: { leg: MediaLeg; stopListening: () => void } | undefined
}

const SILENCE = new Int16Array(FRAME_SAMPLES)
const WARNING_TONE = renderTone(TONES.recorderWarning)
/** Whoever is recorded is connected a moment after the recording has begun. */
const FIRST_WARNING_MS = 500

/** The tasks of a leg: at most one playback and one digit collection, and any number of recordings. */
export function createLegTasks(leg: MediaLeg, emit: (event: MediaEvent) => void) {
  let playing: { task: TaskId; untilDigit: boolean } | undefined
  let collecting: { task: TaskId; collector: DigitCollector; stopListening: () => void } | undefined
  const recordings = new Map<TaskId, Recording>()
  const closings = new Set<Promise<void>>()
  const inBand = createInBandDigits()

  function endPlay(why: PlayEnd): void {
    if (!playing) return
    const { task } = playing
    playing = undefined
    leg.voice.stopPlayback()
    emit({ on: 'play.ended', leg: leg.id, task, why })
  }

  function endCollection(why: CollectEnd): void {
    if (!collecting) return
    const { task, collector, stopListening } = collecting
    collecting = undefined
    leg.ear.findKeys(false)
    stopListening()
    emit({ on: 'digits.collected', leg: leg.id, task, digits: collector.digits, why })
  }

  function endRecording(recording: Recording, why: RecordEnd): void {
    const { task, file, recorder, stopListening, other } = recording
    recordings.delete(task)
    stopListening()
    other?.stopListening()
    const closing = recorder.close().then(({ durationMs, failed }) => {
      closings.delete(closing)
      emit({
        on: 'recording.ended',
        leg: leg.id,
        task,
        file,
        durationMs,
        why: failed ? 'failed' : why,
      })
    })
    closings.add(closing)
  }

  /** What this leg hears from others, whoever they are now. */
  function others(recording: Recording): Int16Array {
    if (recording.other?.leg !== leg.peer) {
      recording.other?.stopListening()
      recording.other = leg.peer && { leg: leg.peer, stopListening: leg.peer.ear.listen() }
    }
    return leg.peer?.ear.frame ?? leg.mixed ?? SILENCE
  }

  function write(recording: Recording, atMs: number): void {
    const { recorder, pausedUntilMs } = recording
    const isPaused = atMs < pausedUntilMs
    // Also while paused: whoever is connected then must be heard at once when it resumes.
    const heard = others(recording)
    const why = recorder.write(isPaused ? SILENCE : leg.ear.frame, isPaused ? SILENCE : heard)
    if (why) return endRecording(recording, why)
    if (!isPaused) warn(recording, atMs)
  }

  function warn({ warning }: Recording, atMs: number): void {
    if (!warning || atMs < warning.nextMs) return
    warning.nextMs = atMs + warning.everyMs
    for (const each of new Set([leg, ...(leg.peer ? [leg.peer] : leg.mixedWith)]))
      each.voice.add(WARNING_TONE)
  }

  function press(digit: Digit, atMs: number): void {
    emit({ on: 'digit', leg: leg.id, digit })
    if (playing?.untilDigit) endPlay('digit')
    const why = collecting?.collector.press(digit, atMs)
    if (why) endCollection(why)
  }

  leg.onDigit = (digit, atMs) => {
    inBand.signalled()
    press(digit, atMs)
  }

  return {
    play(
      task: TaskId,
      sound: EncodedSound,
      { loop = false, untilDigit = false }: PlayOptions,
      atMs: number,
    ): void {
      endPlay('replaced')
      playing = { task, untilDigit }
      leg.voice.play(createPlayer(sound, loop), atMs)
    },
    collect(task: TaskId, options: CollectOptions, atMs: number): void {
      leg.wake()
      endCollection('stopped')
      collecting = { task, collector: createDigitCollector(options, atMs), stopListening: leg.ear.listen() }
      if (leg.session?.receive.events.size === 0) inBand.expectTones()
      leg.ear.findKeys(true)
    },
    record(
      task: TaskId,
      recorder: Recorder,
      { file, warningToneEveryMs: everyMs }: RecordOptions,
      atMs: number,
    ): void {
      leg.wake()
      recordings.set(task, {
        task,
        file,
        recorder,
        pausedUntilMs: 0,
        warning: everyMs === undefined ? undefined : { everyMs, nextMs: atMs + FIRST_WARNING_MS },
        stopListening: leg.ear.listen(),
        other: undefined,
      })
    },
    /** False if the task is no recording of this leg. */
    pause(task: TaskId): boolean {
      const recording = recordings.get(task)
      if (recording) recording.pausedUntilMs = Infinity
      return recording !== undefined
    },
    /** False if the task is no recording of this leg. */
    resume(task: TaskId, atMs: number): boolean {
      const recording = recordings.get(task)
      if (recording?.pausedUntilMs === Infinity) {
        // What was said before is still in the jitter buffers.
        recording.pausedUntilMs = atMs + MEDIA_LIMITS.jitterDelayMsMax
        // The tone also says that it has resumed.
        if (recording.warning) recording.warning.nextMs = 0
      }
      return recording !== undefined
    },
    /** False if the task does not belong to this leg. */
    stop(task: TaskId): boolean {
      const recording = recordings.get(task)
      if (playing?.task === task) endPlay('stopped')
      else if (collecting?.task === task) endCollection('stopped')
      else if (recording) endRecording(recording, 'stopped')
      else return false
      return true
    },
    /** There is nothing to do in the next tick. */
    areIdle: (): boolean =>
      !collecting && recordings.size === 0 && !inBand.areWaiting() && leg.voice.isIdle(),
    tick(atMs: number): void {
      // Most legs have none of these, at 50 ticks a second.
      if (leg.ear.keys.length > 0 || inBand.areWaiting())
        for (const digit of inBand.push(leg.ear.keys, atMs)) press(digit, atMs)
      const timeout = inBand.areWaiting() ? undefined : collecting?.collector.tick(atMs)
      if (timeout) endCollection(timeout)
      if (recordings.size > 0) for (const recording of recordings.values()) write(recording, atMs)
      if (leg.voice.tick(atMs)) endPlay('finished')
    },
    /** Resolves once all recordings are complete. */
    async close(): Promise<void> {
      endPlay('leg_closed')
      endCollection('leg_closed')
      for (const recording of recordings.values()) endRecording(recording, 'leg_closed')
      await Promise.all(closings)
    },
  }
}

export type LegTasks = ReturnType<typeof createLegTasks>
