import type { Clock } from '../../platform/clock.ts'
import { SIP_LIMITS } from '../limits.ts'
import { copyText } from '../message/copy-text.ts'
import { type Flow, printTransportAddress } from '../transport/flow.ts'
import { redactMessage } from './redact.ts'
import { TraceRing, type TracedDialog, type TracedMessage } from './trace-ring.ts'

const CALL_ID = /^(?:call-id|i)[ \t]*:[ \t]*(\S+)/im
const METHOD = /^cseq[ \t]*:[ \t]*\d+[ \t]+([a-z]+)/im
/** They are no part of calls, and so many that they would leave no room for them. */
const NOT_OF_CALLS = new Set(['REGISTER', 'OPTIONS', 'SUBSCRIBE', 'PUBLISH', 'MESSAGE'])

/** Keeps the latest SIP messages of calls in memory, without secrets. */
export class MessageTrace {
  readonly #clock: Clock
  /** Dialogs of authenticated peers, and those that we began. */
  readonly #known = new TraceRing(
    {
      dialogs: SIP_LIMITS.traceDialogsMax,
      bytes: SIP_LIMITS.traceBytesMax,
      messagesOfDialog: SIP_LIMITS.traceMessagesPerDialogMax,
    },
    (dialog) => this.#unlink(dialog),
  )
  /** Apart, so that somebody who only knocks cannot push out the calls. */
  readonly #unknown = new TraceRing(
    {
      dialogs: SIP_LIMITS.traceUnknownDialogsMax,
      bytes: SIP_LIMITS.traceUnknownBytesMax,
      messagesOfDialog: SIP_LIMITS.traceMessagesPerDialogMax,
    },
    () => {},
  )
  /** The Call-IDs of each call. */
  readonly #links = new Map<string, Set<string>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  readonly received = (bytes: Buffer, flow: Flow): void => this.#keep('in', bytes, flow)

  readonly sent = (bytes: Buffer, flow: Flow): void => this.#keep('out', bytes, flow)

  /** The peer of this dialog is authenticated. */
  identified(sipCallId: string): void {
    const dialog = this.#unknown.take(sipCallId)
    if (dialog) this.#known.put(dialog)
  }

  /** A dialog belongs to a call, which may have several. */
  link(callId: string, sipCallId: string): void {
    if (sipCallId === '') return
    const dialog = this.#known.get(sipCallId) ?? this.#unknown.take(sipCallId) ?? newDialog(sipCallId)
    dialog.callId = callId
    this.#links.set(callId, (this.#links.get(callId) ?? new Set()).add(dialog.sipCallId))
    this.#known.put(dialog)
  }

  /** The messages of a call, by its id or by a Call-ID, in the order in which they were sent and received. */
  read(wanted: { callId: string } | { sipCallId: string }): TracedMessage[] {
    const ids = 'callId' in wanted ? [...(this.#links.get(wanted.callId) ?? [])] : [wanted.sipCallId]
    const dialogs = ids.flatMap((id) => this.#known.get(id) ?? this.#unknown.get(id) ?? [])
    return dialogs
      .flatMap(({ sipCallId, messages }) => messages.map((message) => ({ sipCallId, message })))
      .toSorted((a, b) => a.message.at - b.message.at)
      .map(({ sipCallId, message: { at, direction, peer, text } }) => {
        return { at: new Date(at), direction, peer, sipCallId, text }
      })
  }

  #keep(direction: 'in' | 'out', bytes: Buffer, flow: Flow): void {
    const cut = bytes.length > SIP_LIMITS.traceMessageBytesMax
    const text = bytes.toString('utf8', 0, SIP_LIMITS.traceMessageBytesMax)
    const sipCallId = CALL_ID.exec(text)?.[1]
    const method = METHOD.exec(text)?.[1]?.toUpperCase() ?? ''
    if (sipCallId === undefined || NOT_OF_CALLS.has(method)) return
    // Of a transfer, or else of a subscription.
    if (method === 'NOTIFY' && !this.#known.get(sipCallId) && !this.#unknown.get(sipCallId)) return
    const isKnown = this.#known.get(sipCallId) ?? (direction === 'out' && !this.#unknown.get(sipCallId))
    const ring = isKnown ? this.#known : this.#unknown
    const dialog = ring.get(sipCallId) ?? newDialog(sipCallId)
    const peer = `${flow.protocol}:${printTransportAddress(flow.remote)}`
    ring.add(dialog, {
      at: this.#clock.now().getTime(),
      direction,
      peer: dialog.messages.find((message) => message.peer === peer)?.peer ?? peer,
      text: redactMessage(text) + (cut ? '\r\n[cut]' : ''),
    })
  }

  #unlink({ sipCallId, callId }: TracedDialog): void {
    if (callId === undefined) return
    const linked = this.#links.get(callId)
    linked?.delete(sipCallId)
    if (linked?.size === 0) this.#links.delete(callId)
  }
}

const newDialog = (sipCallId: string): TracedDialog => ({
  sipCallId: copyText(sipCallId),
  messages: [],
  bytes: 0,
})
