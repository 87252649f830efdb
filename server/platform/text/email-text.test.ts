import { expect, test } from 'vitest'

import { LINK } from '../../../test/harness/texts/email.ts'
import { emailText, trusted } from './email-text.ts'

const HOSTILE = [
  'https://evil.example/win',
  'www.evil.example',
  'evil.com',
  'Call evil。com',
  'evil．com or evil｡com or evil․com',
  'eve@evil.example',
  'mailto:eve@evil.example',
  'tel:+4590000000',
  '\\\\evil\\share',
  'a.b.evil.com/x?y=z',
  'Bo\r\nBcc: eve@evil.example\r\n\r\nhttp://evil.example/',
  '\u202emoc.live//:sptth',
]

test.each(HOSTILE)('a name such as %j becomes no link in an e-mail, and adds no line to it', (name) => {
  const text = emailText`Hello ${name}, welcome.`
  expect(text.match(LINK)).toBeNull()
  expect(text.split(/[\r\n\u2028\u2029]/)).toHaveLength(1)
  expect(text).not.toMatch(/\p{Bidi_Control}/u)
})

test.each(['Åse Ørsted', 'Nordlys A/S', 'J. R. R. Tolkien', '山田 太郎', "O'Brien & Søn", '👩‍💻 Anna'])(
  'a name such as %s is unchanged in an e-mail',
  (name) => expect(emailText`Hello ${name}`).toBe(`Hello ${name}`),
)

test('a name in an e-mail is too short for a message, and our own link stays intact', () => {
  const text = emailText`Hello ${'x'.repeat(255)} ${trusted('https://bellhop.example/a:b')}`
  expect(text).toBe(`Hello ${'x'.repeat(79)}… https://bellhop.example/a:b`)
})
