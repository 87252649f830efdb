import { bracketed, printHostPort } from '../message/grammar/uri.ts'
import { Headers } from '../message/headers.ts'
import { NO_BODY, type SipRequest } from '../message/message.ts'
import { cannotServe, type Core, sendRequest } from '../user-agent/core.ts'
import type { TrunkConfig } from './config.ts'

/** The hosts of a carrier as `host:port`, as in a URI. */
export const placesOf = ({ hosts }: TrunkConfig) =>
  hosts.map(({ host, port }) => printHostPort(bracketed(host), port))

/** The domain in From. */
export const domainOf = ({ domain, hosts }: TrunkConfig) => domain ?? bracketed(hosts[0]!.host)

export const transportParam = ({ protocol }: TrunkConfig) =>
  protocol === 'udp' ? '' : `;transport=${protocol}`

export const uriOf = (config: TrunkConfig, place: string) => `sip:${place}${transportParam(config)}`

/** Whether any server of the host responds to OPTIONS. */
export async function respondsToOptions(core: Core, config: TrunkConfig, place: string): Promise<boolean> {
  const uri = uriOf(config, place)
  // A host that cannot be resolved or reached is down, which is what was asked.
  for (const open of await core.flowsTo(uri, config.protocol).catch(() => [])) {
    const flow = await open().catch(() => undefined)
    const answer = flow && (await sendRequest(core, optionsTo(core, config, uri), flow))
    // Any response will do, even a refusal, except from a server that is out of service.
    if (answer?.ok && !cannotServe(answer.response)) return true
  }
  return false
}

function optionsTo({ chance: { token } }: Core, config: TrunkConfig, uri: string): SipRequest {
  const headers = new Headers()
  headers.add('max-forwards', '70')
  headers.add('from', `<sip:${domainOf(config)}>;tag=${token()}`)
  headers.add('to', `<${uri}>`)
  headers.add('call-id', token())
  headers.add('cseq', '1 OPTIONS')
  return { kind: 'request', method: 'OPTIONS', uri, headers, body: NO_BODY }
}
