import { texts } from '../../i18n/language.tsx'

/** The other names are those of the customer and of the coworker. */
export const transferTexts = texts(
  {
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
  },
  {
    how: 'Sådan stilles opkaldet om',
    talkFirst: 'Tal sammen først',
    talkFirstHint: 'Du taler med dem først. Imens hører den anden musik.',
    atOnce: 'Med det samme',
    atOnceHint:
      'De får opkaldet, så snart de tager den, og du er ude af det. Ellers får du opkaldet tilbage.',
    search: 'Find en person eller et nummer',
    coworkers: 'Kolleger',
    nobody: 'Ingen kolleger endnu.',
    nobodyFound: 'Ingen kollega hedder det.',
    outside: 'Uden for virksomheden',
    outsideHint:
      'Altid med det samme: De to taler sammen, så snart der bliver svaret, og du er ude af opkaldet.',
    outsideOff:
      'Opkald kan ikke stilles om til numre uden for virksomheden. Det kan den, der driver Bellhop, give lov til.',
    callNumber: (number) => `Stil om til ${number}`,
    callingOutside: (name) => `Ringer til ${name}`,
    outsideNext: (customer, name) =>
      `${customer} taler med ${name}, så snart der bliver svaret, og du er ude af opkaldet. Du kan godt lægge på nu: Svarer ingen, ringer din telefon igen.`,
    blindNext: (customer, name) =>
      `${name} får ${customer}, så snart der bliver svaret. Du kan godt lægge på nu: Svarer ingen, ringer din telefon igen.`,
    cancelOutsideHint: (customer, name) =>
      `Der bliver ikke længere ringet til ${name}, og du taler igen med ${customer}.`,
    untaken: (name) => `${name} tog ikke opkaldet. Du har det igen.`,
    status: {
      available: 'Ledig',
      on_call: 'I samtale',
      ringing: 'Det ringer',
      do_not_disturb: 'Forstyr ikke',
      logged_out: 'Logget ud',
      unknown: 'Ukendt',
    },
    ringingAt: (name) => `Det ringer hos ${name}`,
    consulting: (name) => `Du taler med ${name}`,
    threeWay: (name) => `Tresamtale med ${name}`,
    onHold: (customer) => `${customer} er på hold og hører musik.`,
    allHear: (customer) => `${customer} hører jer begge.`,
    complete: 'Gennemfør omstillingen',
    completeHint: (customer, name) => `${customer} taler med ${name}, og du forlader opkaldet.`,
    merge: 'Tal alle tre sammen',
    mergeHint: (customer, name) => `Du, ${name} og ${customer} taler sammen.`,
    leave: 'Forlad samtalen',
    leaveHint: (customer, name) => `${customer} og ${name} fortsætter uden dig.`,
    takeOver: 'Overtag opkaldet',
    takeOverHint: (customer, name) => `Du taler med ${customer}, og ${name} forlader opkaldet.`,
    cancel: 'Tag opkaldet tilbage',
    cancelHint: (customer, name) =>
      `Det holder op med at ringe hos ${name}, og du taler igen med ${customer}.`,
    remove: (name) => `Fjern ${name}`,
    removeHint: (customer, name) => `${name} forlader opkaldet, og du fortsætter med ${customer}.`,
  },
)
