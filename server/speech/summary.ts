/** What one speaker said without interruption. */
export interface Turn {
  speaker: string
  text: string
  /** Whether the speaker was an employee, not the customer. */
  ours: boolean
}

export interface SummaryInput {
  kind: 'inbound_call' | 'outbound_call' | 'voicemail'
  /** The code of the business number's language. */
  language: string
  /** The customer, by name or number. */
  customer: string
  /** The employee who spoke first; null in a voicemail. */
  employee: string | null
  turns: Turn[]
}

/** Summarises a conversation in a few sentences. */
export interface Summariser {
  /** Null if there is nothing to summarise. Never rejects: there is always a fallback. */
  summarise(conversation: SummaryInput): Promise<string | null>
  close(): Promise<void>
}
