import { texts } from '../i18n/language.tsx'

export const keyTexts = texts(
  {
    title: 'Keyboard shortcuts',
    palette: 'Go to anybody and anything',
    search: 'Search on this page',
    next: 'Next in the list',
    previous: 'Previous in the list',
    list: 'This list',
    anywhere: 'Everywhere',
    phone: 'In the phone',
    answer: 'Answer',
    hangUp: 'Decline or hang up',
    mute: 'Mute',
    hold: 'Hold',
  },
  {
    title: 'Tastaturgenveje',
    palette: 'Gå til hvem og hvad som helst',
    search: 'Søg på siden',
    next: 'Næste på listen',
    previous: 'Forrige på listen',
    list: 'Denne liste',
    anywhere: 'Overalt',
    phone: 'I telefonen',
    answer: 'Besvar',
    hangUp: 'Afvis eller læg på',
    mute: 'Slå mikrofonen fra',
    hold: 'Sæt på hold',
  },
)
