import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'

const ROOT = join(import.meta.dirname, '..')
const HASH_BYTES = 32

/** Where code of a bundled file is for this V8, with the flags that it has at the moment. */
const placeOf = (file) => join(ROOT, 'compiled', String(cachedDataVersionTag()), relative(ROOT, file))

/** V8 trusts what it is given: it compares only the length of the source, and damaged code ends the process. */
const hashOf = (source, code) => createHash('sha256').update(source).update(code).digest()

export function readCode(file, source) {
  let bytes
  try {
    bytes = readFileSync(placeOf(file))
  } catch {
    return undefined
  }
  const code = bytes.subarray(HASH_BYTES)
  return hashOf(source, code).equals(bytes.subarray(0, HASH_BYTES)) ? code : undefined
}

export function writeCode(file, source, code) {
  const place = placeOf(file)
  mkdirSync(dirname(place), { recursive: true })
  // A program that starts meanwhile reads all of it or nothing.
  writeFileSync(`${place}.new`, Buffer.concat([hashOf(source, code), code]))
  renameSync(`${place}.new`, place)
}
