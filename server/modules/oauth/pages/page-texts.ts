import { texts } from '../../../platform/http/texts.ts'

const CONSENT = {
  title: 'Allow access?',
  asks: 'asks to use Bellhop as you:',
  mayDo: 'It may do all that you can do through the API:',
  may: [
    'Read calls, recordings, transcripts, voicemails and texts',
    'Read and change contacts, coworkers and text snippets',
    'Read and change business numbers and where their calls go',
    'Make and answer calls as you, which may cost money',
    'Send texts, transfer your calls and set do-not-disturb',
    'Receive new calls and texts through webhooks',
  ],
  sentTo: 'You will be sent to',
  sentToProgram: 'You will be sent to a program on this device',
  onlyIfStarted: '. Allow it only if you have just started it',
  describesItself: (host: string) => `The application describes itself at ${host}.`,
  unchecked: 'The application chose its own name; Bellhop has not verified it.',
  deny: 'Deny',
  allow: 'Allow',
  refusedTitle: 'This application cannot get access',
  startAgain: 'Go back to the application and start again. If this page appears again, tell its developers:',
}

export const consentTexts = texts(CONSENT, {
  title: 'Giv adgang?',
  asks: 'beder om at bruge Bellhop som dig:',
  mayDo: 'Det må alt, hvad du kan gøre gennem API’et:',
  may: [
    'Læse opkald, optagelser, udskrifter, telefonsvarerbeskeder og sms’er',
    'Læse og ændre kontakter, kolleger og tekststykker',
    'Læse og ændre numre, og hvor deres opkald går hen',
    'Ringe op og besvare opkald som dig, hvilket kan koste penge',
    'Sende sms’er, stille dine opkald om og slå forstyr ikke til',
    'Høre om nye opkald og sms’er gennem webhooks',
  ],
  sentTo: 'Du bliver sendt til',
  sentToProgram: 'Du bliver sendt til et program på denne enhed',
  onlyIfStarted: '. Giv kun adgang, hvis du lige har startet det',
  describesItself: (host) => `Programmet beskriver sig selv på ${host}.`,
  unchecked: 'Programmet har selv valgt sit navn; Bellhop har ikke kontrolleret det.',
  deny: 'Afvis',
  allow: 'Giv adgang',
  refusedTitle: 'Programmet kan ikke få adgang',
  startAgain: 'Gå tilbage til programmet, og begynd forfra. Kommer siden igen, så fortæl dets udviklere:',
})

const APPS = {
  title: 'Connected apps',
  lead: (company: string) => `These applications use Bellhop as you, for ${company}.`,
  notices: { ended: 'The application can no longer act for you.' } as Record<string, string>,
  none: 'You have not given any application access.',
  application: 'Application',
  host: 'Host',
  since: 'Since',
  lastUsed: 'Last used',
  never: 'never',
  end: 'End access',
  endOf: (name: string) => `End access of ${name}`,
}

export const connectedAppTexts = texts(APPS, {
  title: 'Tilknyttede apps',
  lead: (company) => `Disse programmer bruger Bellhop som dig, for ${company}.`,
  notices: { ended: 'Programmet kan ikke længere handle for dig.' },
  none: 'Du har ikke givet noget program adgang.',
  application: 'Program',
  host: 'Vært',
  since: 'Siden',
  lastUsed: 'Sidst brugt',
  never: 'aldrig',
  end: 'Fjern adgang',
  endOf: (name) => `Fjern adgangen for ${name}`,
})
