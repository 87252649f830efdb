import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { parseMessage } from '../../server/sip/message/parse.ts'
import { printMessage } from '../../server/sip/message/print.ts'

const FOLDER = join(import.meta.dirname, 'torture')

/**
 * The messages of RFC 4475, byte by byte, with what the parser makes of each. A number is the status with which it is
 * refused; a refused response is dropped.
 */
const TORTURE: Record<string, { section: string; parser: 'valid' | 400 | 505 }> = {
  wsinv: { section: '3.1.1.1', parser: 'valid' },
  intmeth: { section: '3.1.1.2', parser: 'valid' },
  esc01: { section: '3.1.1.3', parser: 'valid' },
  escnull: { section: '3.1.1.4', parser: 'valid' },
  esc02: { section: '3.1.1.5', parser: 'valid' },
  lwsdisp: { section: '3.1.1.6', parser: 'valid' },
  longreq: { section: '3.1.1.7', parser: 'valid' },
  dblreq: { section: '3.1.1.8', parser: 'valid' },
  semiuri: { section: '3.1.1.9', parser: 'valid' },
  transports: { section: '3.1.1.10', parser: 'valid' },
  mpart01: { section: '3.1.1.11', parser: 'valid' },
  unreason: { section: '3.1.1.12', parser: 'valid' },
  noreason: { section: '3.1.1.13', parser: 'valid' },
  badinv01: { section: '3.1.2.1', parser: 400 },
  clerr: { section: '3.1.2.2', parser: 400 },
  ncl: { section: '3.1.2.3', parser: 400 },
  scalar02: { section: '3.1.2.4', parser: 400 },
  scalarlg: { section: '3.1.2.5', parser: 400 },
  quotbal: { section: '3.1.2.6', parser: 400 },
  ltgtruri: { section: '3.1.2.7', parser: 400 },
  lwsruri: { section: '3.1.2.8', parser: 400 },
  lwsstart: { section: '3.1.2.9', parser: 400 },
  trws: { section: '3.1.2.10', parser: 400 },
  escruri: { section: '3.1.2.11', parser: 400 },
  // Who does not need the date does not look at it.
  baddate: { section: '3.1.2.12', parser: 'valid' },
  // The registrar looks at contacts, and refuses.
  regbadct: { section: '3.1.2.13', parser: 'valid' },
  badaspec: { section: '3.1.2.14', parser: 400 },
  baddn: { section: '3.1.2.15', parser: 400 },
  badvers: { section: '3.1.2.16', parser: 505 },
  mismatch01: { section: '3.1.2.17', parser: 400 },
  mismatch02: { section: '3.1.2.18', parser: 400 },
  bigcode: { section: '3.1.2.19', parser: 400 },
  // A branch without content is matched by the older rules.
  badbranch: { section: '3.2.1', parser: 'valid' },
  insuf: { section: '3.3.1', parser: 400 },
  unkscm: { section: '3.3.2', parser: 'valid' },
  novelsc: { section: '3.3.3', parser: 'valid' },
  unksm2: { section: '3.3.4', parser: 'valid' },
  bext01: { section: '3.3.5', parser: 'valid' },
  invut: { section: '3.3.6', parser: 'valid' },
  regaut01: { section: '3.3.7', parser: 'valid' },
  multi01: { section: '3.3.8', parser: 400 },
  mcl01: { section: '3.3.9', parser: 400 },
  bcast: { section: '3.3.10', parser: 400 },
  zeromf: { section: '3.3.11', parser: 'valid' },
  cparam01: { section: '3.3.12', parser: 'valid' },
  cparam02: { section: '3.3.13', parser: 'valid' },
  regescrt: { section: '3.3.14', parser: 'valid' },
  sdp01: { section: '3.3.15', parser: 'valid' },
  inv2543: { section: '3.4.1', parser: 'valid' },
}

const messages = Object.entries(TORTURE).map(([name, { section, parser }]) => ({ name, section, parser }))

const bytesOf = (name: string) => readFile(join(FOLDER, `${name}.dat`))

test('the table has every message of RFC 4475', async () => {
  const files = (await readdir(FOLDER)).map((file) => file.replace('.dat', ''))
  expect(files.toSorted()).toEqual(messages.map(({ name }) => name).toSorted())
  expect(messages).toHaveLength(49)
})

describe('the parser', () => {
  test.each(messages)('finds $name ($section) $parser', async ({ name, parser }) => {
    const parsed = parseMessage(await bytesOf(name))
    expect(parsed.ok ? 'valid' : parsed.status, parsed.ok ? undefined : parsed.why).toBe(parser)
  })

  test.each(messages.filter(({ parser }) => parser === 'valid'))(
    'understands $name the same after printing it',
    async ({ name }) => {
      const first = parseMessage(await bytesOf(name))
      if (!first.ok) throw new Error(first.why)
      const again = parseMessage(printMessage(first.message))
      if (!again.ok) throw new Error(again.why)
      expect(printMessage(again.message).toString('latin1')).toBe(
        printMessage(first.message).toString('latin1'),
      )
      expect(again.message.body).toEqual(first.message.body)
    },
  )
})
