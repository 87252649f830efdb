import { once } from 'node:events'
import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { afterFile } from '../../../test/harness/after-file.ts'
import { harness } from '../../../test/harness/index.ts'
import { API_LIMITS } from '../limits.ts'

const bellhop = await harness()
const company = await bellhop.newCompany()

async function open() {
  const { hostname, port } = new URL(bellhop.url)
  const socket = connect(Number(port), hostname)
  afterFile(() => socket.destroy())
  let received = ''
  socket.on('data', (chunk) => (received += String(chunk)))
  return {
    send: (text: string) => socket.write(text),
    head: (method: string, more: string[] = []) =>
      socket.write(
        [`${method} /api/v1/contacts HTTP/1.1`, 'Host: x', `X-Api-Key: ${company.key}`, ...more, '', ''].join(
          '\r\n',
        ),
      ),
    async answer(): Promise<string> {
      while (!received.includes('\r\n\r\n')) await once(socket, 'data')
      const answer = received
      received = ''
      return answer
    },
  }
}

const body = (bytes: number) => ['Content-Type: application/json', `Content-Length: ${bytes}`]

test('the rest of a body that is too large is discarded, so that its sender can read why', async () => {
  const { head, send, answer } = await open()
  const bytes = 2 * 1024 * 1024
  head('POST', body(bytes))
  send('x'.repeat(1024))
  const refusal = await answer()
  expect(refusal).toMatch(/^HTTP\/1.1 413 /)
  expect(refusal).not.toMatch(/^connection: close/im)
  send('x'.repeat(bytes - 1024))
  head('GET')
  expect(await answer()).toMatch(/^HTTP\/1.1 200 /)
})

test('a body that is far too large ends the connection', async () => {
  const { head, answer } = await open()
  head('POST', body(API_LIMITS.discardedBytes + 1))
  const refusal = await answer()
  expect(refusal).toMatch(/^HTTP\/1.1 413 /)
  expect(refusal).toMatch(/^connection: close/im)
})
