import { texts } from '../i18n/language.tsx'

export const paletteTexts = texts('palette', {
  title: 'Go to',
  field: 'Name, number or page',
  nothing: 'Nothing found',
  hint: 'Enter opens · Shift and Enter calls',
  number: 'This number',
  contacts: 'Contacts',
  coworkers: 'Coworkers',
  recent: 'Recent calls',
  voicemails: 'Voicemails',
  numbers: 'Your numbers',
  pages: 'Pages',
  call: (who: string) => `Call ${who}`,
  conversation: (who: string) => `Conversation with ${who}`,
})
