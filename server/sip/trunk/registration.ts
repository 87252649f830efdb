import { inBackground } from '../../platform/background.ts'
import { DigestClient } from '../auth/client.ts'
import { SIP_LIMITS } from '../limits.ts'
import { find, numberOf } from '../message/fields.ts'
import { parseAddress } from '../message/grammar/address.ts'
import { type Uri, sameUri } from '../message/grammar/uri.ts'
import { Headers } from '../message/headers.ts'
import { NO_BODY, type SipRequest, type SipResponse } from '../message/message.ts'
import type { Flow } from '../transport/flow.ts'
import { cannotServe, contactOn, type Core, type OpenFlow, sendRequest } from '../user-agent/core.ts'
import type { TrunkConfig } from './config.ts'

export type RegistrationState =
  | { in: 'registering' }
  | { in: 'registered'; until: Date }
  /** `status` is the carrier's response; undefined if there was none. */
  | { in: 'failed'; status?: number }

/** Keeps us registered at a carrier: refreshes in time, and retries after a failure. */
export class TrunkRegistration {
  readonly #core: Core
  readonly #wanted: NonNullable<TrunkConfig['registration']>
  readonly #flows: () => Promise<OpenFlow[]>
  readonly #changed: (state: RegistrationState) => void
  readonly #digest: DigestClient
  readonly #callId: string
  readonly #tag: string
  #cseq = 0
  #seconds: number
  #failures = 0
  #stopTimer: (() => void) | undefined
  #contact: Uri | undefined
  #isClosed = false
  #isRegistered = false
  #state: RegistrationState = { in: 'registering' }

  constructor(
    core: Core,
    config: TrunkConfig,
    flows: () => Promise<OpenFlow[]>,
    changed: (state: RegistrationState) => void,
  ) {
    this.#core = core
    this.#wanted = config.registration!
    this.#seconds = this.#wanted.seconds
    this.#flows = flows
    this.#changed = (state) => {
      this.#state = state
      changed(state)
    }
    this.#digest = new DigestClient(config.credentials, core.chance.token)
    this.#callId = core.chance.token()
    this.#tag = core.chance.token()
    this.#start()
  }

  get state(): RegistrationState {
    return this.#state
  }

  /** Deregisters, and waits no longer than for any other response. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopTimer?.()
    if (this.#isRegistered) await this.#ask(0)
  }

  #start(): void {
    inBackground(this.#core.log, 'register with a carrier', async () => {
      try {
        await this.#register()
      } catch (error) {
        if (!this.#isClosed) this.#fail({ in: 'failed' })
        throw error
      }
    })
  }

  async #register(): Promise<void> {
    this.#changed({ in: 'registering' })
    const response = await this.#ask(this.#seconds)
    if (this.#isClosed) return
    this.#isRegistered = response !== undefined && response.status < 300
    if (response && this.#isRegistered) {
      this.#failures = 0
      const granted = this.#grantedSeconds(response)
      this.#changed({ in: 'registered', until: new Date(this.#core.clock.now().getTime() + granted * 1_000) })
      // Early enough that a lost response does no harm.
      return this.#again(Math.max(granted * 0.8, granted - 60) * 1_000)
    }
    this.#fail(response ? { in: 'failed', status: response.status } : { in: 'failed' })
  }

  #fail(state: RegistrationState): void {
    this.#changed(state)
    this.#again(Math.min(SIP_LIMITS.registerAgainMs * 2 ** this.#failures++, SIP_LIMITS.registerAgainMsMax))
  }

  #again(ms: number): void {
    this.#stopTimer = this.#core.clock.after(ms, () => this.#start())
  }

  /** The first server that is in service decides; undefined if none responds. */
  async #ask(seconds: number): Promise<SipResponse | undefined> {
    let response: SipResponse | undefined
    for (const open of await this.#flows()) {
      // A server that cannot be reached leaves the others to ask; if there is none, the registration has failed.
      const flow = await open().catch(() => undefined)
      response = (flow && (await this.#askOver(flow, seconds))) ?? response
      if (response && !cannotServe(response)) break
    }
    return response
  }

  async #askOver(flow: Flow, seconds: number): Promise<SipResponse | undefined> {
    for (let tried = 0; tried <= SIP_LIMITS.demandsMetMax; tried++) {
      const answer = await sendRequest(this.#core, this.#make(flow, seconds), flow)
      if (!answer.ok) return undefined
      const { response } = answer
      const { status } = response
      if ((status === 401 || status === 407) && this.#digest.takeUp(response)) continue
      if (status === 423 && seconds > 0) {
        seconds = this.#seconds = Math.max(numberOf(response.headers, 'min-expires') ?? 0, seconds)
        continue
      }
      return response
    }
    return undefined
  }

  #make(flow: Flow, seconds: number): SipRequest {
    const { user, domain } = this.#wanted
    const headers = new Headers()
    headers.add('max-forwards', '70')
    headers.add('from', `<sip:${user}@${domain}>;tag=${this.#tag}`)
    headers.add('to', `<sip:${user}@${domain}>`)
    headers.add('call-id', this.#callId)
    headers.add('cseq', `${++this.#cseq} REGISTER`)
    const contact = contactOn(flow, user)
    this.#contact = parseAddress(contact)?.uri
    headers.add('contact', `${contact};expires=${seconds}`)
    headers.add('expires', String(seconds))
    const request: SipRequest = {
      kind: 'request',
      method: 'REGISTER',
      uri: `sip:${domain}`,
      headers,
      body: NO_BODY,
    }
    this.#digest.sign(request)
    return request
  }

  /** The expiry of our own Contact; the response may list others of the same user. */
  #grantedSeconds({ headers }: SipResponse): number {
    const own = find.contacts(headers)?.find(({ uri }) => this.#contact && sameUri(uri, this.#contact))
    const granted = Number(own?.params.get('expires') ?? headers.get('expires'))
    return granted > 0 ? granted : this.#seconds
  }
}
