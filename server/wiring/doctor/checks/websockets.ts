import { WebSocket } from 'ws'

import type { Check } from '../check.ts'
import { type Finding, ok, problem, errorReason, warning } from '../finding.ts'
import { identifyResponder } from '../identify.ts'
import type { Surroundings } from '../inspection.ts'
import { DOCTOR_LIMITS } from '../limits.ts'
import { ownUrl } from '../public-host.ts'

/** WebSockets of the live channel and of softphones open through the public URL. */
export const websockets: Check<Surroundings> = {
  name: 'websockets',
  async run(inspection) {
    const base = inspection.config.baseUrl ?? ownUrl(inspection.config)
    // Who does not answer plain requests is a finding of base-url and ports.
    if (base === undefined || (await identifyResponder(base, inspection.secret)).is !== 'ours') return []
    const root = base.replace(/^http/, 'ws')
    return [await checkCable(`${root}/cable`), await checkSip(root, inspection)]
  },
}

export const NO_EDGE = warning(
  'No edge runs: nobody can make or answer calls.',
  'Start `bellhop edge`, or `bellhop serve`.',
)

async function checkCable(url: string): Promise<Finding> {
  const failure = await whyNotOpened(url, 'actioncable-v1-json')
  if (failure === undefined) return ok(`The live channel opens at ${url}.`)
  return problem(
    `The live channel does not open at ${url} (${failure}): pages show no news until they are reloaded.`,
    'Let the reverse proxy pass on WebSockets: the headers Upgrade and Connection, with HTTP/1.1.',
  )
}

async function checkSip(root: string, { config, edges }: Surroundings): Promise<Finding> {
  if (edges?.length === 0) return NO_EDGE
  const url = config.sip.websocketUrl ?? `${root}/sip`
  const failure = await whyNotOpened(url, 'sip')
  if (failure === undefined) return ok(`Softphones connect at ${url}.`)
  return problem(
    `Softphones cannot connect at ${url} (${failure}).`,
    'Let the reverse proxy pass on WebSockets; if the edge runs separately, set SIP_WEBSOCKET_URL to its URL.',
  )
}

/** Undefined if the WebSocket opens. */
function whyNotOpened(url: string, protocol: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, protocol, { handshakeTimeout: DOCTOR_LIMITS.requestMs })
    socket.on('open', () => {
      socket.terminate()
      resolve(undefined)
    })
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      resolve(`HTTP ${response.statusCode}`)
    })
    socket.on('error', (error) => resolve(errorReason(error)))
  })
}
