import { texts } from '../i18n/language.tsx'

export const wrapUpTexts = texts('wrapUp', {
  title: 'After the call',
  after: (name: string) => `After the call with ${name}`,
  outcome: 'Outcome',
  anyOutcome: 'Any outcome',
  outcomes: {
    resolved: 'Resolved',
    call_back: 'Call back',
    left_message: 'Left a message',
    wrong_number: 'Wrong number',
    spam: 'Spam',
  },
  note: 'Note about the call',
  notePlaceholder: 'What was it about?',
  keys: '1–5 for the outcome, Enter saves, Esc closes.',
  save: 'Save',
  leave: 'Close without saving',
  add: 'Add a note',
  edit: 'Edit the note and the outcome',
  none: 'Nobody has noted anything about this call.',
  by: (name: string, when: string) => `${name} · ${when}`,
  bothKept: (name: string) =>
    `${name} wrote at the same time. Both texts are here now: look over them, and save.`,
  saved: 'Saved with the call.',
})
