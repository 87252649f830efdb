import { join } from 'node:path'

import type { Config } from '../config.ts'
import { createEmbeddedEmbedder } from '../embeddings/embedded/embedder.ts'
import { createOpenAiEmbedder } from '../embeddings/openai.ts'
import type { Embedder } from '../embeddings/port.ts'
import type { TextingParts } from '../modules/messages/index.ts'
import { createPresence, type Presence } from '../platform/async/presence.ts'
import { type Clock, type Pause, systemClock, systemPause } from '../platform/clock.ts'
import type { Vault } from '../platform/crypto/crypto.ts'
import { createKeyRing } from '../platform/crypto/key-ring.ts'
import type { Dependencies } from '../platform/dependencies.ts'
import type { Log } from '../platform/log.ts'
import type { Tracer } from '../platform/tracing/span.ts'
import type { ContextProviders } from '../providers/context/port.ts'
import { createContextProviders } from '../providers/context/providers.ts'
import { localStorage } from '../providers/storage/local.ts'
import type { Storage } from '../providers/storage/port.ts'
import { s3Storage } from '../providers/storage/s3.ts'
import { createEmbeddedSynthesiser } from '../speech/embedded/synthesiser.ts'
import type { Synthesiser } from '../speech/port.ts'
import { isEngineInstalled } from '../wiring/engines/missing-engines.ts'
import { messageKeys } from '../wiring/message-keys.ts'
import { processLabel, type ProcessRole } from '../wiring/process-label.ts'
import { installationSecret } from '../wiring/secret.ts'
import { openSms, type Sms } from '../wiring/sms.ts'
import { ROLE_LIMITS } from './limits.ts'

export interface RoleParts extends Dependencies<'db' | 'log'> {
  config: Config
  clock?: Clock
  pause?: Pause
  /** Shared by the roles of a process, and closed by whoever made it: each engine of speech takes some 220 MB. */
  speaker?: Synthesiser
  /** Undefined if no traces are recorded. */
  tracer?: Tracer | undefined
  /** Of the companies that the roles of a process serve. */
  presence?: Presence
}

export interface Running {
  /** Finishes running work; may be called twice. */
  stop(): Promise<void>
}

/** What the API and background work share. */
export interface SharedParts extends Required<Omit<RoleParts, 'tracer'>>, Pick<RoleParts, 'tracer'> {
  secret: string
  /** Names a process of this role in the database. */
  labelOf(role: ProcessRole): string
  storage: Storage
  /** Undefined if calls are searched by words only. */
  embedder: Embedder | undefined
  /** Encrypts texts. */
  texts: Vault
  sms: Sms
  /** Systems that may know a caller. */
  sources: ContextProviders
}

export async function openSharedParts({
  clock = systemClock,
  pause = systemPause,
  presence = createPresence(ROLE_LIMITS.companyPresentMs),
  ...parts
}: RoleParts): Promise<SharedParts> {
  const { config, log } = parts
  const secret = await installationSecret(config, log)
  const storage = openStorage(config, clock)
  const speaker = openSpeaker(parts, clock)
  const embedder = openEmbedder(config, clock, log)
  const keys = await messageKeys(config, log)
  const labelOf = (role: ProcessRole) => processLabel(role, secret, keys)
  const texts = createKeyRing(keys)
  const sms = openSms({ config, secret, clock, log })
  const sources = createContextProviders({
    ...config.context,
    clock,
    allowInsecure: config.webhooksAllowInsecure,
  })
  return {
    ...parts,
    clock,
    pause,
    presence,
    secret,
    labelOf,
    storage,
    speaker,
    embedder,
    texts,
    sms,
    sources,
  }
}

export function openSpeaker({ speaker, log }: Pick<RoleParts, 'speaker' | 'log'>, clock: Clock): Synthesiser {
  return speaker ? { ...speaker, close: async () => {} } : createEmbeddedSynthesiser({ clock, log })
}

export function openStorage({ s3, dataDir }: Config, clock: Clock): Storage {
  return s3 ? s3Storage(s3, clock) : localStorage(join(dataDir, 'files'))
}

/** The base URLs of this installation. */
export interface Addresses {
  /** For people, and for SMS providers. */
  public: () => string
  /** On this machine. */
  local: () => string
}

/** Sends and receives texts. The simulator runs in this process, so its callbacks use the local URL. */
export function wireTexting(
  { config, db, clock, texts, sms }: Omit<SharedParts, 'log' | 'pause' | 'labelOf' | 'presence'>,
  addresses: Addresses,
): TextingParts {
  const callbackBase = sms.sender.name === 'simulator' ? addresses.local : addresses.public
  return { db, clock, texts, sms: sms.sender, answerMs: config.sms.answerMs, callbackBase }
}

export function once(run: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= run())
}

/** Undefined if calls are searched by words only. */
export function openEmbedder({ embeddings }: Config, clock: Clock, log: Log): Embedder | undefined {
  switch (embeddings.engine) {
    case 'embedded':
      return isEngineInstalled('search') ? createEmbeddedEmbedder({ clock, log }) : undefined
    case 'openai':
      return createOpenAiEmbedder({ ...embeddings, clock })
    case 'off':
      return undefined
  }
}
