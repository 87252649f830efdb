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
)
