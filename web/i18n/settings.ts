import { texts } from './language.tsx'

export const textingTexts = texts('texting', {
  title: 'Texting',
  lead: 'The automatic reply of each number to texts outside business hours.',
  autoReply: 'Reply automatically',
  text: 'The reply',
  cooldown: 'To the same person at most once in',
  hours: (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
  empty: 'No numbers yet',
  off: 'Texting is not switched on for your company',
  offHint: 'Whoever runs Bellhop switches it on with “bellhop company messaging --on”.',
})

export const snippetTexts = texts('snippet', {
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
})

export const companyTexts = texts('company', {
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
})

/** Beside secrets that are shown once. */
export const copyTexts = texts('copy', { copy: 'Copy', copyAll: 'Copy all', copied: 'Copied' })
