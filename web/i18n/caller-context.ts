import { texts } from './language.tsx'

export const contextTexts = texts('context', {
  title: 'From your other systems',
  asking: 'Looking up the number in your other systems…',
  nobody: 'Your other systems do not know this number.',
  failed: 'The look-up in your other systems failed.',
  silent: (label: string) => `${label} did not respond.`,
  openIn: (label: string) => `Open in ${label}`,
  call: (phone: string) => `Call ${phone}`,
  showAll: (count: number) => `Show all ${count}`,
})
