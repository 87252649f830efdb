import { decodeId, encodeId } from '../../platform/ids.ts'

/**
 * The key as its owner holds it: `bh_<label>_<secret>`. The label is the id without its prefix and finds the row, so
 * that the secret itself is only ever compared, in constant time, and never looked up.
 */
const KEY = /^bh_([0-9a-z]{26})_([A-Za-z0-9_-]{43})$/

export const keyLabelOf = (id: string) => encodeId('key', id).slice('key_'.length)

export const idOfLabel = (label: string) => decodeId('key', `key_${label}`)

export const formatKey = (id: string, secret: string) => `bh_${keyLabelOf(id)}_${secret}`

export function parseKey(key: string): { label: string; secret: string } | undefined {
  const match = KEY.exec(key)
  return match ? { label: match[1]!, secret: match[2]! } : undefined
}

/** The id that a key names, whether or not the rest of it is right. */
export function apiKeyId(key: string): string | undefined {
  const parsed = parseKey(key)
  return parsed && idOfLabel(parsed.label)
}
