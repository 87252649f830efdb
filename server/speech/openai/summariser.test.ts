import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { type OpenAiServer, sayJson, startOpenAiServer } from '../../../test/harness/peers/openai-server.ts'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import type { Summariser, SummaryInput } from '../port.ts'
import { extractiveSummariser } from '../summary/extractive.ts'
import { createChatSummariser } from './summariser.ts'

const conversation: SummaryInput = {
  kind: 'inbound_call',
  language: 'en',
  customer: 'Anna Jensen',
  employee: 'Peter',
  turns: [
    { speaker: 'Anna Jensen', text: 'I need to cancel my order.', ours: false },
    { speaker: 'Peter', text: 'I will do that today.', ours: true },
  ],
}
const QUOTED = 'Anna Jensen called: “I need to cancel my order.” Peter promised: “I will do that today.”'

let peer: OpenAiServer
let summariser: Summariser
beforeAll(async () => {
  peer = await startOpenAiServer()
  summariser = createChatSummariser({
    endpoint: { url: peer.url, apiKey: 'the-key', model: 'small', answerMs: 300 },
    simpler: extractiveSummariser,
    clock: systemClock,
    pause: async () => {},
    log: createLog({ level: 'silent' }),
  })
})
afterAll(async () => {
  await summariser.close()
  await peer.close()
})
beforeEach(() => {
  peer.asked.length = 0
})

const chat =
  (content: unknown): NonNullable<OpenAiServer['answer']> =>
  (_, response) =>
    sayJson(response, 200, { choices: [{ message: { role: 'assistant', content } }] })

test('the endpoint writes the summary from the turns, in the language of the number', async () => {
  peer.answer = chat(' Anna cancelled her order. ')
  expect(await summariser.summarise(conversation)).toBe('Anna cancelled her order.')
  const [{ path, headers, json }] = peer.asked as [(typeof peer.asked)[0]]
  expect(path).toBe('/v1/chat/completions')
  expect(headers.authorization).toBe('Bearer the-key')
  expect(json.model).toBe('small')
  expect(json.messages[0].content).toContain('"en"')
  expect(json.messages[1]).toEqual({
    role: 'user',
    content: 'Anna Jensen: I need to cancel my order.\nPeter: I will do that today.',
  })
})

test.each<[string, NonNullable<OpenAiServer['answer']>, number]>([
  ['refuses', (_, response) => sayJson(response, 400, {}), 1],
  ['is broken', (_, response) => sayJson(response, 500, {}), 3],
  ['does not respond in time', () => {}, 3],
  ['responds with something else', (_, response) => sayJson(response, 200, { text: 'no' }), 3],
  ['returns an empty summary', chat(' '), 3],
])('if the endpoint %s, the summary quotes the conversation', async (_, answer, asked) => {
  peer.answer = answer
  expect(await summariser.summarise(conversation)).toBe(QUOTED)
  expect(peer.asked).toHaveLength(asked)
})

test('a summary that is too long is cut, and silence is not sent', async () => {
  peer.answer = chat('x'.repeat(5_000))
  expect(await summariser.summarise(conversation)).toHaveLength(1_000)
  expect(await summariser.summarise({ ...conversation, turns: [] })).toBeNull()
  expect(peer.asked).toHaveLength(1)
})
