import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, json } from 'node:stream/consumers'

import { inject } from 'vitest'

import { lazy } from '../../server/platform/async/lazy.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { createLog } from '../../server/platform/log.ts'
import { createEmbeddedSynthesiser } from '../../server/speech/embedded/synthesiser.ts'
import { SpeechFailed, type SpeechFailure, type Synthesiser } from '../../server/speech/port.ts'

type Text = Parameters<Synthesiser['speak']>[0]

/**
 * The embedded synthesiser for all workers of a run: an engine takes seconds of CPU time to start, and espeak-ng ten
 * times as long for its first texts, until they are compiled.
 */
export async function startSharedSpeaker(): Promise<{ port: number; close(): Promise<void> }> {
  const speaker = createEmbeddedSynthesiser({ clock: systemClock, log: createLog({ level: 'warn' }) })
  const server = createServer((request, response) => {
    json(request)
      .then((text) => speaker.speak(text as Text))
      .then(
        (wav) => response.end(wav),
        (error: SpeechFailed) => {
          response.statusCode = 500
          response.end(JSON.stringify({ why: error.why, message: error.message }))
        },
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await speaker.close()
    },
  }
}

/** The one of this run, which ends with the run. */
export const sharedSpeaker = lazy((): Synthesiser => ({
  async speak(text) {
    const { ok, body } = await post(inject('speakerPort'), text)
    if (ok) return body
    const { why, message } = JSON.parse(body.toString()) as { why: SpeechFailure; message: string }
    throw new SpeechFailed(why, message)
  },
  prepare: () => {},
  close: async () => {},
}))

/** Not by fetch, which would leave a connection open in every worker. */
function post(port: number, text: Text): Promise<{ ok: boolean; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', agent: false }, (response) => {
      buffer(response).then((body) => resolve({ ok: response.statusCode === 200, body }), reject)
    })
    request.on('error', reject)
    request.end(JSON.stringify(text))
  })
}
