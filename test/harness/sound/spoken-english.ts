import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { decodeG711 } from '../../../server/media/audio/g711.ts'

/** Synthesised by the embedded voice in telephone quality. Stored, because synthesis differs each time. */
export const SENTENCES = [
  'Good morning, I ordered a red bicycle last week, and it has still not arrived at my address.',
  'Let me have a look at your order. Could you give me the number on the invoice, please?',
  'The delivery was delayed because of the snow, but the driver will be with you on Thursday morning.',
  'I would like to cancel my appointment and move it to the following week.',
  'The heating in the kitchen stopped working yesterday evening, and the children are cold.',
  'I will call you back tomorrow before noon with an answer from our accountant.',
  'Please send the contract to my office before the end of the month, and a copy to my wife.',
  'We are open from Monday to Friday, and closed on public holidays.',
]
export const sounds = SENTENCES.map((_, i) =>
  decodeG711('pcma', readFileSync(join(import.meta.dirname, 'spoken', `${i + 1}.al`))),
)
