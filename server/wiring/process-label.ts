import { hkdfSync } from 'node:crypto'

import type { RingKey } from '../platform/crypto/key-ring.ts'

export type ProcessRole = 'api' | 'worker' | 'edge'

/** What the label of a process says. */
export interface LabelledProcess {
  role: ProcessRole
  secretFingerprint: string
  /** Undefined for an edge, which encrypts no texts. */
  keysFingerprint: string | undefined
}

/**
 * The name of a process in pg_stat_activity. It tells `bellhop doctor` which processes run, and whether all of them
 * have the same secrets. Every role has a connection that listens as long as the process lives.
 */
export function processLabel(role: ProcessRole, secret: string, keys?: RingKey[]): string {
  const ofKeys = keys ? ` keys=${fingerprintOfKeys(keys)}` : ''
  return `bellhop ${role} secret=${fingerprintOfSecret(secret)}${ofKeys}`
}

/** Undefined for other connections. */
export function readProcessLabel(label: string): LabelledProcess | undefined {
  const found = /^bellhop (api|worker|edge) secret=([0-9a-f]+)(?: keys=([0-9a-f]+))?$/.exec(label)
  if (!found) return undefined
  return { role: found[1] as ProcessRole, secretFingerprint: found[2]!, keysFingerprint: found[3] }
}

const FINGERPRINT_BYTES = 6

/** Says whether two secrets are the same, and nothing else: it cannot be turned back. */
export function fingerprintOfSecret(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'bellhop fingerprint', FINGERPRINT_BYTES)).toString('hex')
}

/** The first key encrypts; the order of the others does not matter. */
export function fingerprintOfKeys(keys: RingKey[]): string {
  const [first, ...others] = keys.map(({ id, secret }) => `${id}:${secret}`)
  return fingerprintOfSecret([first, ...others.toSorted()].join('\n'))
}
