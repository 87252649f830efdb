import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { splitIntoParts } from '../server/platform/text/sms-parts.ts'
import { countParts } from '../web/pages/inbox/sms-parts.ts'

test('the dashboard counts the parts of a text as the server does', () => {
  const character = fc.oneof(
    fc.constantFrom('a', 'ø', '€', '[', '\n'),
    fc.constantFrom('–', '👋', 'ł'),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  )
  const plain = fc.constantFrom('a', 'Å', '€', '~', ' ')
  const text = fc.oneof(fc.array(plain, { maxLength: 700 }), fc.array(character, { maxLength: 400 }))
  fc.assert(
    fc.property(text, (characters) => {
      const { encoding, parts, left } = countParts(characters.join(''))
      expect({ encoding, parts }).toEqual(splitIntoParts(characters.join('')))
      expect(left).toBeGreaterThanOrEqual(0)
    }),
  )
})
