import { texts } from '../../platform/http/texts.ts'
import { emailText, type TrustedText } from '../../platform/text/email-text.ts'

export const INVITATION_DAYS = 14

interface Invited {
  name: string
  company: string
  link: TrustedText
}

export const invitationTexts = texts(
  {
    subject: (company: string) => emailText`Your phone at ${company}`,
    body: ({ name, company, link }: Invited) => emailText`Hello ${name},

${company} uses Bellhop for its calls and has added you.
Choose a password to start:

${link}

The link works once and for ${INVITATION_DAYS} days.
`,
  },
  {
    da: {
      subject: (company) => emailText`Din telefon hos ${company}`,
      body: ({ name, company, link }) => emailText`Hej ${name}

${company} bruger Bellhop til sine opkald og har oprettet dig.
Vælg en adgangskode for at komme i gang:

${link}

Linket virker én gang og i ${INVITATION_DAYS} dage.
`,
    },
    de: {
      subject: (company) => emailText`Dein Telefon bei ${company}`,
      body: ({ name, company, link }) => emailText`Hallo ${name},

${company} telefoniert mit Bellhop, und du bist jetzt dabei.
Leg ein Passwort fest, dann kann es losgehen:

${link}

Der Link gilt einmal und ${INVITATION_DAYS} Tage lang.
`,
    },
    sv: {
      subject: (company) => emailText`Din telefon hos ${company}`,
      body: ({ name, company, link }) => emailText`Hej ${name}!

${company} använder Bellhop för sina samtal och har lagt till dig.
Välj ett lösenord för att komma igång:

${link}

Länken fungerar en gång och i ${INVITATION_DAYS} dagar.
`,
    },
  },
)
