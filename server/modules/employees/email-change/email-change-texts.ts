import { texts } from '../../../platform/http/texts.ts'
import { emailText, type TrustedText } from '../../../platform/text/email-text.ts'

export const EMAIL_CONFIRMATION_DAYS = 7

interface Changed {
  name: string
  company: string
  email: string
  time: TrustedText
  who: TrustedText
}

interface Confirm {
  name: string
  company: string
  link: TrustedText
}

export const emailChangeMailTexts = texts(
  {
    confirmSubject: emailText`Confirm your new e-mail address for Bellhop`,
    confirm: ({ name, company, link }: Confirm) => emailText`Hello ${name},

your e-mail address at ${company} was changed to this one.
Confirm it with your password to sign in with it from now on:

${link}

The link works once and for ${EMAIL_CONFIRMATION_DAYS} days. Until then you sign in with the address
you had before. If you did not expect this e-mail, you can ignore it.
`,
    changedSubject: emailText`Your e-mail address for Bellhop was changed`,
    changed: ({ name, company, email, time, who }: Changed) => emailText`Hello ${name},

your e-mail address at ${company} was changed to
${email}
It was changed at ${time} by ${who}.
`,
    by: (name: string) => emailText`${name}, or a program that acts for them`,
    byYou: emailText`you, or a program that acts for you`,
    bySomeone: emailText`someone who has since been removed`,
    takeBack: (
      link: TrustedText,
    ) => emailText`The new address takes effect only after it is confirmed with your password. Until then
you sign in with this one, and e-mails about your account are sent here.

If you agree, you need not do anything. If not, cancel the change:

${link}

and tell whoever looks after Bellhop in your company: an API key or an application may
be in the wrong hands.
`,
    tooLate: emailText`It was confirmed with your password. If that was not you, tell whoever looks after
Bellhop in your company at once.
`,
  },
  {
    da: {
      confirmSubject: emailText`Bekræft din nye e-mailadresse til Bellhop`,
      confirm: ({ name, company, link }) => emailText`Hej ${name}

Din e-mailadresse hos ${company} er ændret til denne.
Bekræft den med din adgangskode, så logger du ind med den fremover:

${link}

Linket virker én gang og i ${EMAIL_CONFIRMATION_DAYS} dage. Indtil da logger du ind med den adresse, du
havde før. Hvis du ikke ventede denne e-mail, kan du se bort fra den.
`,
      changedSubject: emailText`Din e-mailadresse til Bellhop er ændret`,
      changed: ({ name, company, email, time, who }) => emailText`Hej ${name}

Din e-mailadresse hos ${company} er ændret til
${email}
Det skete ${time} og blev gjort af ${who}.
`,
      by: (name) => emailText`${name} eller et program, der handler på vedkommendes vegne`,
      byYou: emailText`dig eller et program, der handler på dine vegne`,
      bySomeone: emailText`en, der siden er blevet fjernet`,
      takeBack: (
        link,
      ) => emailText`Den nye adresse gælder først, når den er bekræftet med din adgangskode. Indtil da logger du
ind med denne, og e-mails om din konto kommer hertil.

Hvis du er enig, behøver du ikke at gøre noget. Ellers kan du fortryde ændringen:

${link}

Sig det også til den, der passer Bellhop i din virksomhed: En API-nøgle eller en app kan være
i de forkerte hænder.
`,
      tooLate: emailText`Den er bekræftet med din adgangskode. Var det ikke dig, så sig det straks til den, der
passer Bellhop i din virksomhed.
`,
    },
    de: {
      confirmSubject: emailText`Bestätige deine neue E-Mail-Adresse für Bellhop`,
      confirm: ({ name, company, link }) => emailText`Hallo ${name},

deine E-Mail-Adresse bei ${company} wurde in diese geändert.
Bestätige sie mit deinem Passwort, um dich ab jetzt damit anzumelden:

${link}

Der Link gilt einmal und ${EMAIL_CONFIRMATION_DAYS} Tage lang. Bis dahin meldest du dich mit der bisherigen
Adresse an. Wenn du diese E-Mail nicht erwartet hast, kannst du sie ignorieren.
`,
      changedSubject: emailText`Deine E-Mail-Adresse für Bellhop wurde geändert`,
      changed: ({ name, company, email, time, who }) => emailText`Hallo ${name},

deine E-Mail-Adresse bei ${company} wurde geändert in
${email}
Geändert am ${time} von ${who}.
`,
      by: (name) => emailText`${name} oder einem Programm, das im Namen dieser Person handelt`,
      byYou: emailText`dir oder einem Programm, das in deinem Namen handelt`,
      bySomeone: emailText`jemandem, der inzwischen entfernt wurde`,
      takeBack: (
        link,
      ) => emailText`Die neue Adresse gilt erst, wenn sie mit deinem Passwort bestätigt ist. Bis dahin meldest du
dich mit dieser an, und E-Mails zu deinem Konto kommen hierher.

Wenn du einverstanden bist, musst du nichts tun. Wenn nicht, mach die Änderung rückgängig:

${link}

Sag auch der Person Bescheid, die sich in deinem Unternehmen um Bellhop kümmert: Ein
API-Schlüssel oder eine App könnte in falsche Hände geraten sein.
`,
      tooLate: emailText`Sie wurde mit deinem Passwort bestätigt. Wenn du das nicht warst, sag sofort der Person
Bescheid, die sich in deinem Unternehmen um Bellhop kümmert.
`,
    },
    sv: {
      confirmSubject: emailText`Bekräfta din nya e-postadress för Bellhop`,
      confirm: ({ name, company, link }) => emailText`Hej ${name}!

Din e-postadress hos ${company} har ändrats till den här.
Bekräfta den med ditt lösenord för att logga in med den från och med nu:

${link}

Länken fungerar en gång och i ${EMAIL_CONFIRMATION_DAYS} dagar. Till dess loggar du in med adressen du hade
förut. Om du inte väntade dig det här mejlet kan du bortse från det.
`,
      changedSubject: emailText`Din e-postadress för Bellhop har ändrats`,
      changed: ({ name, company, email, time, who }) => emailText`Hej ${name}!

Din e-postadress hos ${company} har ändrats till
${email}
Den ändrades ${time} av ${who}.
`,
      by: (name) => emailText`${name} eller ett program som agerar för personens räkning`,
      byYou: emailText`dig eller ett program som agerar för din räkning`,
      bySomeone: emailText`någon som sedan dess har tagits bort`,
      takeBack: (
        link,
      ) => emailText`Den nya adressen gäller först när den har bekräftats med ditt lösenord. Till dess loggar du
in med den här, och mejl om ditt konto skickas hit.

Om det stämmer behöver du inte göra något. Annars kan du ångra ändringen:

${link}

Berätta det också för den som sköter Bellhop på ditt företag: en API-nyckel eller en app kan
ha hamnat i orätta händer.
`,
      tooLate: emailText`Den har bekräftats med ditt lösenord. Om det inte var du, berätta det genast för den som
sköter Bellhop på ditt företag.
`,
    },
  },
)
