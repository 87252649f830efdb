const USUAL_BYTES = 16_384

/** What is being written, until it is taken. Grows if necessary, for one group of statements. */
let bytes = Buffer.allocUnsafe(USUAL_BYTES)
let end = 0

/**
 * The messages of a group of statements, in one piece. The driver would write each message by itself, at several times
 * the cost. See "Message Formats" in the documentation of PostgreSQL.
 */
export const messageWriter = {
  close(name: string): void {
    const start = begin('C')
    writeText(`S${name}`)
    finish(start)
  },

  parse(name: string, text: string): void {
    const start = begin('P')
    writeText(name)
    writeText(text)
    // PostgreSQL infers the types of all parameters.
    writeInt16(0)
    finish(start)
  },

  bind(name: string, values: (string | Buffer | null)[]): void {
    const start = begin('B')
    // The portal has no name.
    writeText('')
    writeText(name)
    writeInt16(values.length)
    for (const value of values) writeInt16(value instanceof Buffer ? BINARY : TEXT)
    writeInt16(values.length)
    for (const value of values) writeValue(value)
    // Of all columns of the result.
    writeInt16(1)
    writeInt16(TEXT)
    finish(start)
  },

  describePortal(): void {
    const start = begin('D')
    writeText('P')
    finish(start)
  },

  execute(): void {
    const start = begin('E')
    writeText('')
    // All rows.
    writeInt32(0)
    finish(start)
  },

  flush(): void {
    finish(begin('H'))
  },

  sync(): void {
    finish(begin('S'))
  },

  /** What was written since the last time. */
  take(): Buffer {
    const taken = Buffer.from(bytes.subarray(0, end))
    end = 0
    if (bytes.length > USUAL_BYTES) bytes = Buffer.allocUnsafe(USUAL_BYTES)
    return taken
  },
}

const TEXT = 0
const BINARY = 1
const LENGTH_BYTES = 4
/** UTF-8 takes up to three bytes for each unit of a string. */
const BYTES_PER_UNIT_MAX = 3

function reserve(count: number): void {
  if (end + count <= bytes.length) return
  const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + count))
  bytes.copy(larger, 0, 0, end)
  bytes = larger
}

/** Returns where the length of the message is to be. */
function begin(type: string): number {
  reserve(1 + LENGTH_BYTES)
  bytes[end] = type.charCodeAt(0)
  const start = end + 1
  end = start + LENGTH_BYTES
  return start
}

function finish(start: number): void {
  bytes.writeInt32BE(end - start, start)
}

function writeInt16(value: number): void {
  reserve(2)
  bytes[end++] = value >>> 8
  bytes[end++] = value
}

function writeInt32(value: number): void {
  reserve(4)
  end = bytes.writeInt32BE(value, end)
}

/** It ends with a zero. */
function writeText(text: string): void {
  reserve(text.length * BYTES_PER_UNIT_MAX + 1)
  end += bytes.write(text, end)
  bytes[end++] = 0
}

/** Its length goes before it. */
function writeValue(value: string | Buffer | null): void {
  if (value === null) return writeInt32(-1)
  reserve(LENGTH_BYTES + value.length * (typeof value === 'string' ? BYTES_PER_UNIT_MAX : 1))
  const start = end + LENGTH_BYTES
  const length = typeof value === 'string' ? bytes.write(value, start) : value.copy(bytes, start)
  bytes.writeInt32BE(length, end)
  end = start + length
}
