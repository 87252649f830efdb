import { html } from '../../../platform/http/html.ts'
import { texts } from '../../../platform/http/texts.ts'

const EN = {
  confirmTitle: 'Confirm your new e-mail address',
  confirm: (name: string, company: string, email: string) =>
    html`Hello <bdi>${name}</bdi>, your e-mail address at <bdi>${company}</bdi> was changed to
      <strong>${email}</strong>. Confirm it to sign in with it from now on.`,
  password: 'Your password',
  wrongPassword: 'This is not your password.',
  confirmButton: 'Confirm',
  forgotten: html`Forgot your password? <a href="/password-reset">Ask for a new one</a> first, with the
    address you sign in with so far.`,
  cancelTitle: 'Undo the change?',
  cancel: (name: string, company: string, email: string) =>
    html`Hello <bdi>${name}</bdi>, your e-mail address at <bdi>${company}</bdi> was changed to
      <strong>${email}</strong>. It waits to be confirmed.`,
  cancelButton: 'Undo the change',
  cancelledTitle: 'The change is undone',
  cancelled:
    'Your e-mail address is unchanged. Tell the person who runs Bellhop in your company: an API key or an application may be in the wrong hands.',
  deadTitle: 'This link no longer works',
  dead: 'It was used already, is too old, or the address was changed again, confirmed or restored.',
  deadHint: html`Which address you sign in with stands under <a href="/account">your account</a>, where you
    can also have the e-mail sent again.`,
}

export const emailChangePageTexts = texts(EN, {
  da: {
    confirmTitle: 'Bekræft din nye e-mailadresse',
    confirm: (name, company, email) =>
      html`Hej <bdi>${name}</bdi>. Din e-mailadresse hos <bdi>${company}</bdi> er ændret til
        <strong>${email}</strong>. Bekræft den for at logge ind med den fremover.`,
    password: 'Din adgangskode',
    wrongPassword: 'Det er ikke din adgangskode.',
    confirmButton: 'Bekræft',
    forgotten: html`Har du glemt din adgangskode? <a href="/password-reset">Bed om en ny</a> først, med den
      adresse, du hidtil logger ind med.`,
    cancelTitle: 'Vil du fortryde ændringen?',
    cancel: (name, company, email) =>
      html`Hej <bdi>${name}</bdi>. Din e-mailadresse hos <bdi>${company}</bdi> er ændret til
        <strong>${email}</strong>. Den venter på at blive bekræftet.`,
    cancelButton: 'Fortryd ændringen',
    cancelledTitle: 'Ændringen er fortrudt',
    cancelled:
      'Din e-mailadresse er den, du havde. Sig det til den, der passer Bellhop i din virksomhed: En API-nøgle eller en app kan være i de forkerte hænder.',
    deadTitle: 'Linket virker ikke længere',
    dead: 'Det er allerede brugt, er for gammelt, eller adressen er ændret igen, bekræftet eller fortrudt.',
    deadHint: html`Hvilken adresse du logger ind med, står under <a href="/account">din konto</a>, hvor du
      også kan få e-mailen sendt igen.`,
  },
  de: {
    confirmTitle: 'Neue E-Mail-Adresse bestätigen',
    confirm: (name, company, email) =>
      html`Hallo <bdi>${name}</bdi>, deine E-Mail-Adresse bei <bdi>${company}</bdi> wurde in
        <strong>${email}</strong> geändert. Bestätige sie, um dich ab jetzt damit anzumelden.`,
    password: 'Dein Passwort',
    wrongPassword: 'Das ist nicht dein Passwort.',
    confirmButton: 'Bestätigen',
    forgotten: html`Passwort vergessen? <a href="/password-reset">Fordere zuerst ein neues an</a>, mit der
      Adresse, mit der du dich bisher anmeldest.`,
    cancelTitle: 'Änderung rückgängig machen?',
    cancel: (name, company, email) =>
      html`Hallo <bdi>${name}</bdi>, deine E-Mail-Adresse bei <bdi>${company}</bdi> wurde in
        <strong>${email}</strong> geändert. Das ist noch nicht bestätigt.`,
    cancelButton: 'Änderung rückgängig machen',
    cancelledTitle: 'Die Änderung ist rückgängig gemacht',
    cancelled:
      'Deine E-Mail-Adresse bleibt, wie sie war. Sag der Person Bescheid, die sich in deinem Unternehmen um Bellhop kümmert: Ein API-Schlüssel oder eine App könnte in falsche Hände geraten sein.',
    deadTitle: 'Dieser Link gilt nicht mehr',
    dead: 'Er wurde schon benutzt, ist zu alt, oder die Adresse wurde inzwischen bestätigt, zurückgesetzt oder noch einmal geändert.',
    deadHint: html`Mit welcher Adresse du dich anmeldest, siehst du in <a href="/account">deinem Konto</a>.
      Dort kannst du dir die E-Mail auch noch einmal senden lassen.`,
  },
  sv: {
    confirmTitle: 'Bekräfta din nya e-postadress',
    confirm: (name, company, email) =>
      html`Hej <bdi>${name}</bdi>! Din e-postadress hos <bdi>${company}</bdi> har ändrats till
        <strong>${email}</strong>. Bekräfta den för att logga in med den från och med nu.`,
    password: 'Ditt lösenord',
    wrongPassword: 'Det är inte ditt lösenord.',
    confirmButton: 'Bekräfta',
    forgotten: html`Har du glömt lösenordet? <a href="/password-reset">Be om ett nytt</a> först, med adressen
      du hittills har loggat in med.`,
    cancelTitle: 'Vill du ångra ändringen?',
    cancel: (name, company, email) =>
      html`Hej <bdi>${name}</bdi>! Din e-postadress hos <bdi>${company}</bdi> har ändrats till
        <strong>${email}</strong>. Ändringen är inte bekräftad ännu.`,
    cancelButton: 'Ångra ändringen',
    cancelledTitle: 'Ändringen är ångrad',
    cancelled:
      'Din e-postadress är densamma som förut. Berätta det för den som sköter Bellhop på ditt företag: en API-nyckel eller en app kan ha hamnat i orätta händer.',
    deadTitle: 'Länken fungerar inte längre',
    dead: 'Den har redan använts, är för gammal, eller så har adressen bekräftats, återställts eller ändrats igen.',
    deadHint: html`Vilken adress du loggar in med ser du på <a href="/account">ditt konto</a>. Där kan du
      också få mejlet skickat igen.`,
  },
})
