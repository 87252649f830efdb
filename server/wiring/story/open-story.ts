import type { Config } from '../../config.ts'
import { systemClock } from '../../platform/clock.ts'
import { createKeyRing } from '../../platform/crypto/key-ring.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { messageKeys } from '../message-keys.ts'
import type { Cast } from './tell-story.ts'

export type TellStory = (tx: Tx, cast: Cast) => Promise<void>

/** The week of the demo company, for this installation. */
export const openStory =
  (config: Config, log: Log): TellStory =>
  async (tx, cast) => {
    // Imported only here: no start but the first needs them.
    const [{ tellStory }, { openStorage }] = await Promise.all([
      import('./tell-story.ts'),
      import('../../roles/shared.ts'),
    ])
    const storage = openStorage(config, systemClock)
    const texts = createKeyRing(await messageKeys(config, log))
    await tellStory(tx, { storage, texts, now: systemClock.now() }, cast)
  }
