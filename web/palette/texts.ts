import { texts } from '../i18n/language.tsx'

export const paletteTexts = texts(
  {
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
  },
  {
    title: 'Gå til',
    field: 'Navn, nummer eller side',
    nothing: 'Intet fundet',
    hint: 'Enter åbner · Shift og Enter ringer op',
    number: 'Nummeret',
    contacts: 'Kontakter',
    coworkers: 'Kolleger',
    recent: 'Seneste opkald',
    voicemails: 'Beskeder på telefonsvareren',
    numbers: 'Jeres numre',
    pages: 'Sider',
    call: (who) => `Ring til ${who}`,
    conversation: (who) => `Samtale med ${who}`,
  },
)
