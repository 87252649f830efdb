import { texts } from './language.tsx'

export const contextTexts = texts(
  {
    title: 'From your other systems',
    asking: 'Looking up the number in your other systems…',
    nobody: 'Your other systems do not know this number.',
    failed: 'The look-up in your other systems failed.',
    silent: (label: string) => `${label} did not respond.`,
    openIn: (label: string) => `Open in ${label}`,
    call: (phone: string) => `Call ${phone}`,
    showAll: (count: number) => `Show all ${count}`,
  },
  {
    title: 'Fra jeres andre systemer',
    asking: 'Henter fra jeres andre systemer…',
    nobody: 'Jeres andre systemer kender ikke nummeret.',
    failed: 'Oplysningerne fra jeres andre systemer kunne ikke hentes.',
    silent: (label) => `${label} svarede ikke.`,
    openIn: (label) => `Åbn i ${label}`,
    call: (phone) => `Ring til ${phone}`,
    showAll: (count) => `Vis alle ${count}`,
  },
)
