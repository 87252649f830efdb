import { onReturn } from '../../connection/reachability.ts'
import { accountOf, callToRejoin, forgetAccount, isStillValid } from './phone-storage.ts'
import { openSipClient, type SipClient, type SipClientListener } from './sip-client.ts'
import { type CallToRejoin, isBeginning, isLive, type PhoneInput } from './state.ts'
import type { Display } from './view.ts'

const LIMITS = {
  /** Until credentials are asked for again that could not be had. */
  retryMs: 5_000,
  /** How often it is looked whether the credentials still last. */
  lookMs: 60_000,
  /** Of a phone that was refused, as when its credentials were taken away. */
  refusalsMax: 3,
}

interface ConnectionListener extends SipClientListener {
  /** There is a call of an earlier page to rejoin. */
  rejoin(kept: CallToRejoin): void
  /** The connection is closed: no more audio. */
  shut(): void
}

export interface Connection {
  /** Undefined while there is none. */
  line(): SipClient | undefined
  open(): void
  shut(leave?: (line: SipClient) => void): void
}

/** Keeps the phone registered, with valid credentials, while it is switched on. */
export function createConnection(
  employeeId: string,
  { view, show, subscribe }: Display,
  listener: ConnectionListener,
): Connection {
  let line: SipClient | undefined
  let opening = 0
  let refusals = 0
  let expiresAt = ''
  let retry: ReturnType<typeof setTimeout> | undefined

  async function open(): Promise<void> {
    const own = ++opening
    clearTimeout(retry)
    if (!window.isSecureContext) show({ microphoneProblem: 'insecure' })
    if (!window.isSecureContext || !('RTCPeerConnection' in window))
      return listener.input({ on: 'stopped', why: 'unsupported' })
    listener.input({ on: 'started' })
    try {
      const account = await accountOf(employeeId)
      const kept = await callToRejoin(employeeId)
      if (own !== opening) return
      expiresAt = account.expiresAt
      line = openSipClient(account, { ...listener, input: (input) => own === opening && hear(input) })
      if (kept) rejoinWhenReady(own, kept)
    } catch {
      // Offline, or the API is restarting: tried again until it works or nobody wants it.
      if (own !== opening) return
      listener.input({ on: 'disconnected' })
      retry = setTimeout(() => void open(), LIMITS.retryMs)
    }
  }

  function hear(input: PhoneInput): void {
    listener.input(input)
    if (input.on === 'registered') refusals = 0
    if (input.on === 'stopped' && input.why === 'refused') renew()
  }

  function rejoinWhenReady(own: number, kept: CallToRejoin): void {
    const stop = subscribe(() => {
      if (own !== opening) return stop()
      if (view().state.in !== 'ready') return
      stop()
      listener.rejoin(kept)
    })
  }

  function shut(leave: (line: SipClient) => void = (open) => open.close()): void {
    opening++
    clearTimeout(retry)
    if (line) leave(line)
    line = undefined
    listener.shut()
  }

  /** Its credentials were revoked or have expired: requests new ones, but not for ever. */
  function renew(): void {
    shut()
    forgetAccount()
    if (++refusals <= LIMITS.refusalsMax) void open()
  }

  /** A connection that was cut silently looks open, and one that was lost would wait before its next attempt. */
  function restore(): void {
    const { state } = view()
    if (state.in === 'off' || isBeginning(state)) return
    if (isLive(state)) return line?.reconnect()
    shut((old) => old.abandon())
    void open()
  }

  onReturn(restore)
  // A page may be open for days.
  setInterval(() => {
    if (!line || isLive(view().state) || isStillValid(expiresAt)) return
    shut()
    void open()
  }, LIMITS.lookMs)

  return {
    line: () => line,
    open() {
      refusals = 0
      void open()
    },
    shut,
  }
}
