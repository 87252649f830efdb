import { z } from 'zod'

import { lazyAsync } from '../../../platform/async/lazy.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { parseJson } from '../../../platform/text/parse-json.ts'
import type { Callback, SmsProvider } from '../port.ts'
import { createSmsAgent, numericCode, postToProvider } from '../post-to-provider.ts'
import { type SmsProviderServer, startSmsProviderServer } from './provider-server.ts'
import { SimulatedCallback } from './schemas.ts'
import { createSimulatorSigner } from './signature.ts'

export interface SimulatorOptions extends Dependencies<'clock' | 'log'> {
  /** Secret of the installation. */
  secret: string
  answerMs: number
}

/** Sends through a simulated provider in this process, which starts when it is first needed. */
export function simulator({ secret, clock, log, answerMs }: SimulatorOptions): SmsProvider {
  const agent = createSmsAgent()
  const signer = createSimulatorSigner({ secret, clock })
  let started: Promise<SmsProviderServer> | undefined
  const carrier = lazyAsync(() => (started = startSmsProviderServer({ clock, log, signer, agent })))
  return {
    name: 'simulator',
    async send({ from, to, text, statusUrl }) {
      const { url } = await carrier()
      return postToProvider(
        { agent, clock, answerMs },
        {
          url,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${signer.token}` },
          body: JSON.stringify({ from, to, text, status_url: statusUrl }),
        },
        {
          provider: 'simulator',
          Accepted: z.object({ id: z.string(), parts: z.int() }),
          accepted: ({ id, parts }) => ({ providerMessageId: id, parts }),
          Refused: z.unknown(),
          refusal: () => null,
        },
      )
    },
    readCallback: (request) => (signer.isSigned(request) ? read(request.body) : undefined),
    async close() {
      await (await started)?.close()
      await agent.destroy()
    },
  }
}

function read(body: Buffer): Callback {
  const parsed = SimulatedCallback.safeParse(parseJson(body.toString('utf8')))
  if (!parsed.success) return { kind: 'malformed' }
  const { id, from, to } = parsed.data
  const shared = { providerMessageId: id, from, to, parts: null }
  if (parsed.data.type === 'message.received') {
    const { text, received_at } = parsed.data
    return { kind: 'text', ...shared, text, receivedAt: new Date(received_at) }
  }
  const { status, error_code, at } = parsed.data
  return {
    kind: 'report',
    ...shared,
    status,
    failureCode: numericCode('simulator', error_code),
    at: new Date(at),
  }
}
