import { texts } from './language.tsx'

export const textingTexts = texts(
  {
    title: 'Texting',
    lead: 'The automatic reply of each number to texts outside business hours.',
    autoReply: 'Reply automatically',
    text: 'The reply',
    cooldown: 'To the same person at most once in',
    hours: (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
    empty: 'No numbers yet',
    off: 'Texting is not switched on for your company',
    offHint: 'Whoever runs Bellhop switches it on with “bellhop company messaging --on”.',
  },
  {
    title: 'Sms',
    lead: 'Det automatiske svar fra hvert nummer, når nogen skriver uden for åbningstiden.',
    autoReply: 'Svar automatisk',
    text: 'Svaret',
    cooldown: 'Til samme person højst én gang på',
    hours: (count) => (count === 1 ? '1 time' : `${count} timer`),
    empty: 'Ingen numre endnu',
    off: 'Sms er ikke slået til for jeres virksomhed',
    offHint: 'Den, der driver Bellhop, slår det til med “bellhop company messaging --on”.',
  },
)

export const snippetTexts = texts(
  {
    title: 'Snippets',
    lead: 'Texts you often send, one click away in every conversation.',
    add: 'Add snippet',
    edit: 'Edit snippet',
    name: 'Title',
    text: 'Text',
    up: (title: string) => `Move ${title} up`,
    empty: 'No snippets yet',
    emptyHint: 'Business hours, directions, a thank-you: write it once.',
    deleteTitle: (title: string) => `Delete “${title}”?`,
    deleteHint: 'Texts already sent with it stay.',
    deleted: 'Snippet deleted.',
  },
  {
    title: 'Tekststykker',
    lead: 'Tekster, I ofte sender, ét klik væk i hver samtale.',
    add: 'Tilføj tekststykke',
    edit: 'Redigér tekststykke',
    name: 'Titel',
    text: 'Tekst',
    up: (title) => `Flyt ${title} op`,
    empty: 'Ingen tekststykker endnu',
    emptyHint: 'Åbningstider, rutevejledning, en tak: skriv det én gang.',
    deleteTitle: (title) => `Slet “${title}”?`,
    deleteHint: 'Sms’er, der allerede er sendt, bevares.',
    deleted: 'Tekststykket er slettet.',
  },
)

export const companyTexts = texts(
  {
    title: 'Company',
    name: 'Name',
    address: 'Address',
    zip: 'Postal code',
    city: 'City',
    state: 'State or region',
    country: 'Country',
    countryHint: 'National phone numbers are read as numbers of this country.',
    vat: 'VAT number',
    twoFactor: 'Everybody signs in with two factors',
    twoFactorHint: 'Employees who have not set it up yet are asked to do so at once.',
    details: 'Details',
    signIn: 'Signing in',
    yours: 'Yours alone',
    yoursHint: 'Your personal settings are under your account.',
  },
  {
    title: 'Virksomhed',
    name: 'Navn',
    address: 'Adresse',
    zip: 'Postnummer',
    city: 'By',
    state: 'Region',
    country: 'Land',
    countryHint: 'Telefonnumre uden landekode læses som numre i dette land.',
    vat: 'CVR- eller momsnummer',
    twoFactor: 'Alle logger ind med to faktorer',
    twoFactorHint: 'Den, der ikke har sat det op endnu, bliver bedt om det med det samme.',
    details: 'Oplysninger',
    signIn: 'Log ind',
    yours: 'Kun for dig',
    yoursHint: 'Dine personlige indstillinger findes under din konto.',
  },
)

/** Beside secrets that are shown once. */
export const copyTexts = texts(
  { copy: 'Copy', copyAll: 'Copy all', copied: 'Copied' },
  { copy: 'Kopiér', copyAll: 'Kopiér alle', copied: 'Kopieret' },
)
