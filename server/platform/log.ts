import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Numbers with a country code, plain or URL-encoded. Whoever reads the log need not know who calls. */
const PHONE_NUMBER = /(\+|%2[Bb])([1-9]\d)\d{3,11}(\d\d)(?!\d)/g
/** Words of a text that may be such a number: PostgreSQL quotes rows, and contacts are indexed by words. */
const DIGITS = /(?<=[ (])([1-9]\d)\d{4,11}(\d\d)(?![\w.:-])/g

const masked = (line: string) => line.replace(PHONE_NUMBER, '$1$2…$3').replace(DIGITS, '$1…$2')

/** JSON lines for programs; readable lines at a terminal. */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, censor: '[secret]' },
      hooks: { streamWrite: masked },
    },
    options.destination ?? (process.stderr.isTTY ? terminal : gathered(process.stderr)),
  )
}

const GATHER = { ms: 100, bytes: 65_536 }

/**
 * Lines are written in batches, after a moment or when there are many, and at the end: one by one they would slow
 * down requests. They wait as bytes, because waiting strings would outlive the young generation of the heap.
 */
function gathered(out: NodeJS.WriteStream): DestinationStream {
  let waiting = Buffer.allocUnsafeSlow(GATHER.bytes)
  let length = 0
  const flush = () => {
    if (length === 0) return
    out.write(waiting.subarray(0, length))
    // The stream may still use the old one.
    waiting = Buffer.allocUnsafeSlow(GATHER.bytes)
    length = 0
  }
  process.on('exit', flush)
  return {
    write(line) {
      // A UTF-16 code unit takes at most three bytes of UTF-8.
      if (length + line.length * 3 > GATHER.bytes) flush()
      if (line.length * 3 > GATHER.bytes) {
        out.write(line)
        return
      }
      if (length === 0) setTimeout(flush, GATHER.ms).unref()
      length += waiting.write(line, length)
    },
  }
}

const SECRETS = ['key', 'token', 'password', 'secret', 'authorization', 'cookie'].flatMap((name) => [
  name,
  `*.${name}`,
])

const terminal: DestinationStream = { write: (line) => process.stderr.write(readable(line)) }

/** `14:03:22 warn  what happened key=value`, followed by the stack of an error. */
function readable(line: string): string {
  const { level, time, msg, err, ...details } = JSON.parse(line) as Record<string, unknown> & {
    level: string
    time: string
    msg?: string
    err?: { stack?: string; message?: string }
  }
  const clock = new Date(time).toLocaleTimeString('en-GB')
  const pairs = Object.entries(details).map(([name, value]) => `${name}=${readableValue(value)}`)
  const stack = err ? `\n${err.stack ?? err.message}` : ''
  return [clock, level.padEnd(5), msg, ...pairs].filter(Boolean).join(' ') + stack + '\n'
}

function readableValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}
