/** What was recorded. */
export interface Subject {
  kind: 'call' | 'voicemail'
  id: string
}
