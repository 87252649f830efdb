/** As thousands of them are kept. */
export interface KeptMessage {
  at: number
  /** Seen from us. */
  direction: 'in' | 'out'
  /** The protocol and address of the other side. */
  peer: string
  /** Without secrets. */
  text: string
}

export interface TracedMessage extends Omit<KeptMessage, 'at'> {
  at: Date
  sipCallId: string
}

/** The messages of one Call-ID. */
export interface TracedDialog {
  readonly sipCallId: string
  messages: KeptMessage[]
  bytes: number
  /** The id of the call that it belongs to. */
  callId?: string
}

/** Keeps the messages of the latest dialogs, within limits on their number and their bytes. */
export class TraceRing {
  readonly #dialogs = new Map<string, TracedDialog>()
  readonly #limits: { dialogs: number; bytes: number; messagesOfDialog: number }
  readonly #dropped: (dialog: TracedDialog) => void
  #bytes = 0

  constructor(
    limits: { dialogs: number; bytes: number; messagesOfDialog: number },
    dropped: (dialog: TracedDialog) => void,
  ) {
    this.#limits = limits
    this.#dropped = dropped
  }

  get bytes(): number {
    return this.#bytes
  }

  get(sipCallId: string): TracedDialog | undefined {
    return this.#dialogs.get(sipCallId)
  }

  /** Adds a dialog, or makes it the latest. */
  put(dialog: TracedDialog): void {
    this.take(dialog.sipCallId)
    this.#dialogs.set(dialog.sipCallId, dialog)
    this.#bytes += dialog.bytes
    this.#fit()
  }

  add(dialog: TracedDialog, message: KeptMessage): void {
    // The beginning says why a call failed; a long call only repeats itself.
    if (dialog.messages.length >= this.#limits.messagesOfDialog) return
    this.take(dialog.sipCallId)
    dialog.messages.push(message)
    dialog.bytes += message.text.length
    this.put(dialog)
  }

  /** Removes a dialog. */
  take(sipCallId: string): TracedDialog | undefined {
    const dialog = this.#dialogs.get(sipCallId)
    if (dialog && this.#dialogs.delete(sipCallId)) this.#bytes -= dialog.bytes
    return dialog
  }

  #fit(): void {
    for (const [sipCallId, dialog] of this.#dialogs) {
      if (this.#dialogs.size <= this.#limits.dialogs && this.#bytes <= this.#limits.bytes) return
      this.take(sipCallId)
      this.#dropped(dialog)
    }
  }
}
