import { DigestClient } from '../auth/client.ts'
import { SIP_LIMITS } from '../limits.ts'
import { find } from '../message/fields.ts'
import { Headers } from '../message/headers.ts'
import { NO_BODY, type SipRequest, type SipResponse } from '../message/message.ts'
import type { Flow } from '../transport/flow.ts'
import { cannotServe, type Core, sendRequest } from '../user-agent/core.ts'
import type { TrunkConfig } from './config.ts'
import { placesOf, uriOf } from './probe.ts'

export type RegistrationQuery =
  /** The number of Contact addresses that the carrier has of us. */
  { is: 'answered'; contacts: number } | { is: 'refused'; status: number } | { is: 'silent' }

/** RFC 3261 §10.2.3: a REGISTER without Contact lists the bindings and changes none of them. */
export async function queryRegistration(core: Core, config: TrunkConfig): Promise<RegistrationQuery> {
  let refusal: RegistrationQuery = { is: 'silent' }
  for (const place of placesOf(config)) {
    // A host that cannot be resolved or reached leaves the others to ask.
    for (const open of await core.flowsTo(uriOf(config, place), config.protocol).catch(() => [])) {
      const flow = await open().catch(() => undefined)
      const response = flow && (await askOver(core, config, flow))
      if (!response) continue
      if (response.status < 300)
        return { is: 'answered', contacts: find.contacts(response.headers)?.length ?? 0 }
      refusal = { is: 'refused', status: response.status }
      if (!cannotServe(response)) return refusal
    }
  }
  return refusal
}

async function askOver(core: Core, config: TrunkConfig, flow: Flow): Promise<SipResponse | undefined> {
  const { token } = core.chance
  const digest = new DigestClient(config.credentials, token)
  const dialog = { callId: token(), tag: token() }
  for (let tried = 1; ; tried++) {
    const request = makeQuery(config.registration!, dialog, tried)
    digest.sign(request)
    const answer = await sendRequest(core, request, flow)
    if (!answer.ok) return undefined
    const { status } = answer.response
    const isChallenge = status === 401 || status === 407
    if (!isChallenge || tried > SIP_LIMITS.demandsMetMax || !digest.takeUp(answer.response))
      return answer.response
  }
}

function makeQuery(
  { user, domain }: NonNullable<TrunkConfig['registration']>,
  { callId, tag }: { callId: string; tag: string },
  cseq: number,
): SipRequest {
  const headers = new Headers()
  headers.add('max-forwards', '70')
  headers.add('from', `<sip:${user}@${domain}>;tag=${tag}`)
  headers.add('to', `<sip:${user}@${domain}>`)
  headers.add('call-id', callId)
  headers.add('cseq', `${cseq} REGISTER`)
  return { kind: 'request', method: 'REGISTER', uri: `sip:${domain}`, headers, body: NO_BODY }
}
