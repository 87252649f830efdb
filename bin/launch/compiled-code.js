import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { crc32 } from 'node:zlib'

const ROOT = join(import.meta.dirname, '..')
/** Of a checksum of four bytes. V8 copies code that does not begin at a multiple of eight. */
const HEADER_BYTES = 8

/** Where code of a bundled file is for this V8, with the flags that it has at the moment. */
const placeOf = (file) => join(ROOT, 'compiled', String(cachedDataVersionTag()), relative(ROOT, file))

/** V8 trusts what it is given: it compares only the length of the source, and damaged code ends the process. */
const checksumOf = (source, code) => crc32(code, crc32(source))

export function readCode(file, source) {
  let bytes
  try {
    bytes = readFileSync(placeOf(file))
  } catch {
    return undefined
  }
  if (bytes.length < HEADER_BYTES) return undefined
  const code = bytes.subarray(HEADER_BYTES)
  return bytes.readUInt32LE() === checksumOf(source, code) ? code : undefined
}

export function writeCode(file, source, code) {
  const place = placeOf(file)
  mkdirSync(dirname(place), { recursive: true })
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(checksumOf(source, code))
  // A program that starts meanwhile reads all of it or nothing.
  writeFileSync(`${place}.new`, Buffer.concat([header, code]))
  renameSync(`${place}.new`, place)
}
