import { rm, stat } from 'node:fs/promises'

import { isKnownEdge } from '../modules/edges/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../providers/storage/port.ts'
import { keepSound } from './keep-sound.ts'
import { LIMITS } from './limits.ts'
import { repeat } from './repeat.ts'
import type { Spool, Spooled } from './spool.ts'

interface RescueParts {
  db: Database
  clock: Clock
  log: Log
  storage: Storage
  spool: Spool
}

/** Of a WAV file here, whose header speaks of sound that is there whenever the process dies: 8 kHz, 16 bits. */
const WAV = { headerBytes: 44, bytesPerMs: 16 }

/**
 * Keeps what edges of this machine had recorded that died and were buried, and tries again what could not be kept.
 * The returned function ends it.
 */
export function startRescue({ db, clock, log, storage, spool }: RescueParts): () => Promise<void> {
  const keepers = { storage, log, store: db.tx }
  let isStopping = false

  async function look(): Promise<void> {
    try {
      for (const edgeId of await spool.abandoned()) {
        // One in another container may look dead from here, and still write.
        if (await isKnownEdge(db.sql, edgeId)) continue
        for (const sound of await spool.sounds(edgeId)) {
          if (isStopping) return
          if (await isWorthKeeping(sound)) await keepSound(keepers, sound)
          else await rm(sound.file, { force: true })
        }
        await spool.leave(edgeId)
      }
    } catch (err) {
      log.warn({ err }, 'could not look for what dead edges have left')
    }
  }

  const stop = repeat(clock, LIMITS.rescueEveryMs, look)
  return async () => {
    isStopping = true
    await stop()
  }
}

/** The edge that died would have judged the same. */
async function isWorthKeeping({ kind, file }: Spooled): Promise<boolean> {
  const soundBytes = (await stat(file)).size - WAV.headerBytes
  return kind === 'voicemail' ? soundBytes >= LIMITS.voicemailMinMs * WAV.bytesPerMs : soundBytes > 0
}
