import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

import { type Dispatcher } from 'undici'

import { inBackground } from '../../../platform/background.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { parseJson } from '../../../platform/text/parse-json.ts'
import { splitIntoSegments } from '../../../platform/text/sms-segments.ts'
import { SMS_PROVIDER_LIMITS } from '../limits.ts'
import { type SimulatedCallback, SimulatedSend } from './schemas.ts'
import type { SimulatorSigner } from './signature.ts'

/** What becomes of a text, by the last four digits of the number it goes to. */
const FATES = {
  '0001': 'refused',
  '0002': 'unanswered',
  '0003': 'unreported',
  '0004': 'failed',
  '0005': 'delivered at once',
} as const
type Fate = (typeof FATES)[keyof typeof FATES] | 'delivered'

const fateOf = (to: string): Fate => FATES[to.slice(-4) as keyof typeof FATES] ?? 'delivered'

const REFUSED = { error: { code: 'rejected' } }
const FAILED_CODE = 4

interface CarrierParts extends Dependencies<'clock' | 'log'> {
  signer: SimulatorSigner
  agent: Dispatcher
}

export interface SmsProviderServer {
  url: string
  close(): Promise<void>
}

/** A simulated provider: a real server on a local port, which sends nothing to anybody. */
export async function startSmsProviderServer(parts: CarrierParts): Promise<SmsProviderServer> {
  const { clock, log, signer } = parts
  const planned = new Set<() => void>()

  const later = (run: () => void) => {
    const callOff = clock.after(SMS_PROVIDER_LIMITS.simulatedReportMs, () => {
      planned.delete(callOff)
      run()
    })
    planned.add(callOff)
  }

  const take = async (send: SimulatedSend, response: ServerResponse): Promise<void> => {
    const id = `sim_${randomUUID()}`
    const report = (status: 'delivered' | 'failed') => reportTo(parts, send, id, status)
    const accept = () => answer(response, 202, { id, parts: splitIntoSegments(send.text).parts })
    switch (fateOf(send.to)) {
      case 'refused':
        return answer(response, 422, REFUSED)
      case 'unanswered':
        return undefined
      case 'unreported':
        return accept()
      case 'failed':
        later(() => inBackground(log, 'report on a text', report('failed')))
        return accept()
      case 'delivered at once':
        await report('delivered')
        return accept()
      case 'delivered':
        later(() => inBackground(log, 'report on a text', report('delivered')))
        return accept()
    }
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${signer.token}`) return answer(response, 401, {})
    const send = SimulatedSend.safeParse(parseJson(await readText(request).catch(() => '')))
    if (!send.success) return answer(response, 400, REFUSED)
    await take(send.data, response)
  }

  const server = createServer((request, response) =>
    inBackground(log, 'accept a text', receive(request, response)),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/messages`,
    close: () =>
      new Promise((resolve) => {
        for (const callOff of planned) callOff()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function reportTo(
  parts: CarrierParts,
  { from, to, status_url }: SimulatedSend,
  id: string,
  status: 'delivered' | 'failed',
): Promise<void> {
  const error_code = status === 'failed' ? FAILED_CODE : null
  const at = parts.clock.now().toISOString()
  const report = { type: 'message.report', id, from, to, status, error_code, at } as const
  const outcome = await postCallback(parts, status_url, report)
  if (outcome !== 200)
    parts.log.warn({ outcome }, 'a delivery report of the simulated provider was not accepted')
}

/** The status of the response to the callback. */
export async function postCallback(
  { agent, signer, clock }: Omit<CarrierParts, 'log'>,
  url: string,
  callback: SimulatedCallback,
): Promise<number | 'unreachable'> {
  const body = JSON.stringify(callback)
  const { origin, pathname, search } = new URL(url)
  const attempt = new AbortController()
  const callOff = clock.after(SMS_PROVIDER_LIMITS.simulatedCallbackMs, () => attempt.abort())
  try {
    const answered = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: signer.headersFor(body),
      body,
      signal: attempt.signal,
    })
    await answered.body.dump()
    return answered.statusCode
  } catch {
    // Whoever asked reports it; a simulated provider does not try again.
    return 'unreachable'
  } finally {
    callOff()
  }
}
