import { texts } from '../../../platform/http/texts.ts'
import { emailText, type TrustedText } from '../../../platform/text/email-text.ts'

export const resetEmailTexts = texts(
  {
    subject: emailText`Choose a new password for Bellhop`,
    body: ({ name, link }: { name: string; link: TrustedText }) => emailText`Hello ${name},

someone, most likely you, asked to choose a new password for your phone.
Follow this link to choose one:

${link}

The link works once and for one hour. If it was not you, there is nothing to do:
your password stays as it is.
`,
  },
  {
    da: {
      subject: emailText`Vælg en ny adgangskode til Bellhop`,
      body: ({ name, link }) => emailText`Hej ${name}

Nogen, formentlig dig selv, har bedt om at vælge en ny adgangskode til din telefon.
Det gør du med dette link:

${link}

Linket virker én gang og i en time. Var det ikke dig, behøver du ikke at gøre noget:
Din adgangskode bliver, som den er.
`,
    },
    de: {
      subject: emailText`Neues Passwort für Bellhop`,
      body: ({ name, link }) => emailText`Hallo ${name},

jemand, vermutlich du, möchte ein neues Passwort für dein Telefon festlegen.
Das geht über diesen Link:

${link}

Der Link gilt einmal und eine Stunde lang. Wenn du das nicht warst, musst du nichts tun:
Dein Passwort bleibt, wie es ist.
`,
    },
    sv: {
      subject: emailText`Välj ett nytt lösenord för Bellhop`,
      body: ({ name, link }) => emailText`Hej ${name}!

Någon, troligen du själv, har bett om att få välja ett nytt lösenord för din telefon.
Det gör du med den här länken:

${link}

Länken fungerar en gång och i en timme. Om det inte var du behöver du inte göra något:
ditt lösenord är kvar som det är.
`,
    },
  },
)

interface Happened {
  name: string
  /** A sentence of the same table. */
  sentence: TrustedText
  day: TrustedText
  time: TrustedText
  link: TrustedText
}

/** Of changes that an attacker would want to hide. */
export const securityEmailTexts = texts(
  {
    password_changed: {
      subject: emailText`Your password for Bellhop was changed`,
      sentence: 'the password for your phone was changed, and you were signed out everywhere else.',
    },
    password_reset: {
      subject: emailText`Your password for Bellhop was changed`,
      sentence: 'a new password for your phone was chosen by the link that we sent to this address.',
    },
    two_factor_off: {
      subject: emailText`Two-factor sign-in was switched off`,
      sentence:
        'two-factor sign-in was switched off for your phone: your password alone now opens your account.',
    },
    body: ({ name, sentence, day, time, link }: Happened) => emailText`Hello ${name},

${sentence}
It happened on ${day} at ${time} UTC.

If this was you, you can ignore this e-mail. If not, someone else may have access to your
account. Choose another password at once, at

${link}

and tell whoever looks after Bellhop in your company.
`,
  },
  {
    da: {
      password_changed: {
        subject: emailText`Din adgangskode til Bellhop er ændret`,
        sentence: 'Adgangskoden til din telefon er ændret, og du er logget ud alle andre steder.',
      },
      password_reset: {
        subject: emailText`Din adgangskode til Bellhop er ændret`,
        sentence: 'Der er valgt en ny adgangskode til din telefon med det link, vi sendte til denne adresse.',
      },
      two_factor_off: {
        subject: emailText`Totrinslogin er slået fra`,
        sentence: 'Totrinslogin er slået fra for din telefon: Nu er din adgangskode nok til at komme ind.',
      },
      body: ({ name, sentence, day, time, link }) => emailText`Hej ${name}

${sentence}
Det skete ${day} kl. ${time} UTC.

Var det dig, kan du se bort fra denne e-mail. Ellers kan en anden have fået adgang til din
konto. Vælg straks en ny adgangskode på

${link}

og sig det til den, der passer Bellhop i din virksomhed.
`,
    },
    de: {
      password_changed: {
        subject: emailText`Dein Passwort für Bellhop wurde geändert`,
        sentence: 'das Passwort für dein Telefon wurde geändert, und du wurdest überall sonst abgemeldet.',
      },
      password_reset: {
        subject: emailText`Dein Passwort für Bellhop wurde geändert`,
        sentence:
          'für dein Telefon wurde über den Link, den wir an diese Adresse gesendet haben, ein neues Passwort festgelegt.',
      },
      two_factor_off: {
        subject: emailText`Die Zwei-Faktor-Anmeldung wurde ausgeschaltet`,
        sentence:
          'die Zwei-Faktor-Anmeldung für dein Telefon wurde ausgeschaltet: Jetzt genügt dein Passwort allein.',
      },
      body: ({ name, sentence, day, time, link }) => emailText`Hallo ${name},

${sentence}
Das war am ${day} um ${time} UTC.

Wenn du das warst, kannst du diese E-Mail ignorieren. Wenn nicht, hat womöglich jemand
Zugriff auf dein Konto. Leg sofort ein anderes Passwort fest, unter

${link}

und sag der Person Bescheid, die sich in deinem Unternehmen um Bellhop kümmert.
`,
    },
    sv: {
      password_changed: {
        subject: emailText`Ditt lösenord för Bellhop har ändrats`,
        sentence: 'Lösenordet för din telefon har ändrats, och du har loggats ut överallt annars.',
      },
      password_reset: {
        subject: emailText`Ditt lösenord för Bellhop har ändrats`,
        sentence:
          'Ett nytt lösenord för din telefon har valts med länken som vi skickade till den här adressen.',
      },
      two_factor_off: {
        subject: emailText`Tvåstegsinloggningen har stängts av`,
        sentence: 'Tvåstegsinloggningen för din telefon har stängts av: nu räcker det med ditt lösenord.',
      },
      body: ({ name, sentence, day, time, link }) => emailText`Hej ${name}!

${sentence}
Det hände ${day} kl. ${time} UTC.

Om det var du kan du bortse från det här mejlet. Annars kan någon annan ha kommit åt ditt
konto. Välj genast ett annat lösenord på

${link}

och berätta det för den som sköter Bellhop på ditt företag.
`,
    },
  },
)
