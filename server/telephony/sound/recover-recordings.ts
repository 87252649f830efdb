import { rm, stat } from 'node:fs/promises'

import { ruleOutVoicemail } from '../../modules/calls/index.ts'
import { isRegisteredEdge } from '../../modules/edges/index.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { Storage } from '../../providers/storage/port.ts'
import { repeat } from '../edge/repeat.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { audioDurationMs } from './audio-duration.ts'
import { isVoicemail } from './is-voicemail.ts'
import { isMissing, type Spool, type SpooledRecording } from './spool.ts'
import { storeSpooledFile } from './store-recordings.ts'

interface RescueParts extends Dependencies<'db' | 'clock' | 'log'> {
  storage: Storage
  spool: Spool
  edgeId: string
  hasSpeech(file: string): Promise<boolean>
}

/** Stores recordings that dead edges left in the spool, and those that could not be stored at once. */
export function startRecordingRecovery(parts: RescueParts) {
  const { db, clock, log, storage, spool, edgeId, hasSpeech } = parts
  const keepers = { storage, store: db.tx }
  const waiting = new Map<string, { sound: SpooledRecording; startedAt?: Date }>()
  let isStopping = false

  function later(sound: SpooledRecording, startedAt?: Date): void {
    waiting.set(sound.file, { sound, ...(startedAt && { startedAt }) })
  }

  /** If several edges share a directory, one of them claims each file. */
  async function takeOver(): Promise<void> {
    const quietSince = new Date(clock.now().getTime() - TELEPHONY_LIMITS.unknownEdgeQuietMs)
    for (const dead of [...(await spool.abandoned()), ...(await spool.deserted(quietSince))]) {
      await inherit(dead).catch((err: unknown) =>
        log.warn({ err, edge: dead }, 'the recordings of a dead edge could not be claimed; retrying'),
      )
    }
  }

  async function inherit(dead: string): Promise<void> {
    // An edge in another container may look dead from here and still be writing.
    if (await isRegisteredEdge(db.sql, dead)) return
    for (const sound of await spool.sounds(dead)) {
      const taken = await spool.take(sound, edgeId)
      if (taken) later(taken)
    }
    await spool.leave(dead)
  }

  async function keep(sound: SpooledRecording, startedAt?: Date): Promise<void> {
    const durationMs = await durationOf(sound)
    if (durationMs === undefined) return
    // The same rule as when the recording ends normally.
    const isWorthKeeping =
      sound.kind === 'voicemail' ? await isVoicemail({ hasSpeech, log }, sound.file) : durationMs >= 1
    if (isWorthKeeping) return storeSpooledFile(keepers, sound, startedAt)
    if (sound.kind === 'voicemail') await db.tx((tx) => ruleOutVoicemail(tx, sound))
    await rm(sound.file, { force: true })
  }

  async function check(): Promise<void> {
    await takeOver().catch((err: unknown) => log.warn({ err }, 'could not look for recordings of dead edges'))
    let failure: unknown
    for (const [file, { sound, startedAt }] of waiting) {
      if (isStopping) return
      try {
        await keep(sound, startedAt)
        waiting.delete(file)
      } catch (err) {
        failure = err
      }
    }
    if (failure)
      log.warn({ err: failure, count: waiting.size }, 'recordings could not be stored yet; retrying')
  }

  const stop = repeat({ clock, log }, TELEPHONY_LIMITS.rescueEveryMs, check)
  return {
    /** Retries a recording that could not be stored. */
    later,
    async stop(): Promise<void> {
      isStopping = true
      await stop()
    },
  }
}

/** Undefined if the file is gone. */
async function durationOf({ kind, file }: SpooledRecording): Promise<number | undefined> {
  try {
    return audioDurationMs(kind, (await stat(file)).size)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
