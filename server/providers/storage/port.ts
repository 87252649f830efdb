import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** Storage of recordings and synthesised audio. Keys are paths of plain names: `prompts/com_…/….wav`. */
export interface Storage {
  /** Atomic: a reader never sees half a file. */
  put(key: string, bytes: Buffer): Promise<void>
  /** The same for a file on the disk that nobody writes any more. Recordings are too long to be kept in memory. */
  putFile(key: string, file: string): Promise<void>
  /** Undefined if the file does not exist. */
  size(key: string): Promise<number | undefined>
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Succeeds if the file is already gone. */
  remove(key: string): Promise<void>
}
