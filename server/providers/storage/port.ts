import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** Where recordings and generated audio are kept. Keys are paths of plain names: `prompts/com_…/….wav`. */
export interface Storage {
  /** Whole or not at all: a reader never sees half a file. */
  put(key: string, bytes: Buffer): Promise<void>
  /** Undefined when there is no such file. */
  size(key: string): Promise<number | undefined>
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Fine when it is gone already. */
  remove(key: string): Promise<void>
}
