import { texts } from './language.tsx'

export const voicemailTexts = texts('voicemail', {
  title: 'Voicemails',
  unlistened: (count: number) => (count === 0 ? 'All are listened to.' : `${count} not yet listened to.`),
  empty: 'No voicemails',
  emptyHint: 'Messages that callers leave after the tone are here, with transcripts.',
  search: 'Search what was said, or who said it',
  nothingFound: 'Nothing found',
  nothingFoundHint: 'Try fewer words, or another form of them.',
  listen: (name: string) => `Voicemail from ${name}`,
  new: 'New',
  noTranscript: 'No transcript yet.',
  markNew: 'Mark as new',
  markListened: 'Mark as listened to',
  conversation: 'Open the conversation',
  deleteTitle: 'Delete this voicemail?',
  deleteHint: 'Its recording and transcript are deleted for good.',
  deleted: 'Voicemail deleted.',
  actions: 'More',
})
