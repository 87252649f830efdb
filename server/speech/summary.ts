/** What somebody said, until somebody else spoke. */
export interface Turn {
  speaker: string
  text: string
  /** Whether it was an employee, and not who called or was called. */
  ours: boolean
}

export interface Conversation {
  kind: 'inbound_call' | 'outbound_call' | 'voicemail'
  /** As business numbers name it. */
  language: string
  /** Who called, or was called, from outside. */
  outsider: string
  /** Who of ours spoke first; null in a voicemail. */
  employee: string | null
  turns: Turn[]
}

/** Says in a few sentences what a conversation was about. */
export interface Summariser {
  /** Null when there is nothing to tell. Never fails: there is always a simpler way. */
  summarise(conversation: Conversation): Promise<string | null>
  close(): Promise<void>
}
