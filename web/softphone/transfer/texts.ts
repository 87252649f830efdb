import { texts } from '../../i18n/language.tsx'

/** The other names are those of the customer and of the coworker. */
export const transferTexts = texts('transfer', {
  how: 'How to transfer',
  talkFirst: 'Talk first',
  talkFirstHint: 'You talk to them first; the caller hears music meanwhile.',
  atOnce: 'At once',
  atOnceHint:
    'They get the caller as soon as they answer, and you leave. If they do not, you get the caller back.',
  search: 'Find a person or a number',
  coworkers: 'Coworkers',
  nobody: 'No coworkers yet.',
  nobodyFound: 'No coworker has that name.',
  outside: 'Outside the company',
  outsideHint: 'Always at once: the caller talks to them as soon as they answer, and you leave.',
  outsideOff:
    'Calls cannot be transferred to numbers outside the company. Whoever operates Bellhop can allow it.',
  callNumber: (number: string) => `Transfer to ${number}`,
  callingOutside: (name: string) => `Calling ${name}`,
  outsideNext: (customer: string, name: string) =>
    `${customer} talks to ${name} as soon as they answer, and you leave. You can hang up already: if they do not answer, your phone rings again.`,
  blindNext: (customer: string, name: string) =>
    `${name} gets ${customer} as soon as they answer. You can hang up already: if they do not answer, your phone rings again.`,
  cancelOutsideHint: (customer: string, name: string) =>
    `${name} is no longer called; you talk to ${customer} again.`,
  untaken: (name: string) => `${name} did not take the call. You have the caller back.`,
  status: {
    available: 'Available',
    on_call: 'On a call',
    ringing: 'Ringing',
    do_not_disturb: 'Do not disturb',
    logged_out: 'Signed out',
    unknown: 'Unknown',
  },
  ringingAt: (name: string) => `Ringing ${name}`,
  consulting: (name: string) => `You are talking to ${name}`,
  threeWay: (name: string) => `Three-way call with ${name}`,
  onHold: (customer: string) => `${customer} is on hold and hears music.`,
  allHear: (customer: string) => `${customer} hears you both.`,
  complete: 'Complete the transfer',
  completeHint: (customer: string, name: string) => `${customer} talks to ${name}; you leave the call.`,
  merge: 'Make it a three-way call',
  mergeHint: (customer: string, name: string) => `You, ${name} and ${customer} talk together.`,
  leave: 'Leave the call',
  leaveHint: (customer: string, name: string) => `${customer} and ${name} go on without you.`,
  takeOver: 'Take the call',
  takeOverHint: (customer: string, name: string) => `You talk to ${customer}; ${name} leaves the call.`,
  cancel: 'Return to the caller',
  cancelHint: (customer: string, name: string) =>
    `${name}’s phone stops ringing; you talk to ${customer} again.`,
  remove: (name: string) => `Remove ${name}`,
  removeHint: (customer: string, name: string) => `${name} leaves the call; you stay with ${customer}.`,
})
