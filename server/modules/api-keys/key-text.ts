import { decodeId, encodeId } from '../../platform/ids.ts'

/**
 * An API key is `bh_<label>_<secret>`. The label is the id without its prefix and identifies the row, so that the
 * secret is never part of a query and is only compared, in constant time.
 */
const KEY = /^bh_([0-9a-z]{26})_([A-Za-z0-9_-]{43})$/

export const keyLabelOf = (id: string) => encodeId('key', id).slice('key_'.length)

export const idOfLabel = (label: string) => decodeId('key', `key_${label}`)

export const formatKey = (id: string, secret: string) => `bh_${keyLabelOf(id)}_${secret}`

export function parseKey(key: string): { label: string; secret: string } | undefined {
  const match = KEY.exec(key)
  return match ? { label: match[1]!, secret: match[2]! } : undefined
}

/** The id in a key, whether or not its secret is valid. */
export function apiKeyId(key: string): string | undefined {
  const parsed = parseKey(key)
  return parsed && idOfLabel(parsed.label)
}
