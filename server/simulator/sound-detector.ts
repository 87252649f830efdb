import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { FRAME_MS, FRAME_SAMPLES } from '../media/audio/frame.ts'
import { meanPower } from '../media/audio/goertzel.ts'
import { WAV_HEADER_BYTES } from '../media/audio/wav-writer.ts'
import type { MediaPort } from '../media/port.ts'

/** Length of each recording that is analysed. */
const PIECE_MS = 200
/** Louder than this counts as a voice, a tone or music. */
const SOUND_POWER_MIN = 15_000

/** Detects audio on a leg, by short recordings. */
export interface SoundDetector {
  soundMs(): number
  /** Since the last audio; since the beginning if there was none. */
  quietMs(): number
  /** Total time of listening. */
  listenedMs(): number
  /** Checks the condition after each recording. */
  until(holds: () => boolean): Promise<void>
  close(): Promise<void>
}

export async function openSoundDetector(media: MediaPort, leg: string): Promise<SoundDetector> {
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-ear-'))
  const checks = new Set<() => void>()
  let isClosed = false
  let pieces = 0
  let soundMs = 0
  let quietMs = 0
  let listenedMs = 0

  async function hear(file: string): Promise<void> {
    const bytes = await readFile(file)
    for (let at = WAV_HEADER_BYTES; at + FRAME_SAMPLES * 2 <= bytes.length; at += FRAME_SAMPLES * 2) {
      const frame = Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => bytes.readInt16LE(at + 2 * i))
      const isSound = meanPower(frame) >= SOUND_POWER_MIN
      listenedMs += FRAME_MS
      soundMs += isSound ? FRAME_MS : 0
      quietMs = isSound ? 0 : quietMs + FRAME_MS
    }
    await rm(file)
    for (const check of checks) check()
  }

  const next = () => {
    const file = join(dir, `${++pieces}.wav`)
    return media.record(leg, { file, channels: 1, maxMs: PIECE_MS })
  }
  let reading = Promise.resolve()
  const stop = media.listen((event) => {
    if (event.on !== 'recording.ended' || event.leg !== leg) return
    if (!isClosed && event.why !== 'leg_closed') next().catch(() => (isClosed = true))
    reading = reading.then(() => hear(event.file))
  })
  await next()

  return {
    soundMs: () => soundMs,
    quietMs: () => quietMs,
    listenedMs: () => listenedMs,
    until: (holds) =>
      new Promise((resolve) => {
        const check = () => {
          if (!holds()) return
          checks.delete(check)
          resolve()
        }
        checks.add(check)
      }),
    async close() {
      isClosed = true
      await media.close(leg)
      await reading
      stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
