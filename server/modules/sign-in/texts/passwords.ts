import { html } from '../../../platform/http/html.ts'
import { texts } from '../../../platform/http/texts.ts'

const SIGN_IN = '/sign-in'
const RESET = '/password-reset'

const EN = {
  signsInAs: 'You sign in as',
  next: 'New password',
  nextHint: (characters: number) =>
    `At least ${characters} characters. Three or four random words are easy to remember and hard to guess.`,
  tooShort: (characters: number) => `The password must have at least ${characters} characters.`,
  tooLong: (characters: number) => `The password is too long (at most ${characters} characters).`,
  welcomeTitle: 'Welcome',
  welcome: (name: string, company: string) =>
    `Hello ${name}, ${company} uses Bellhop for its calls. Choose a password to start.`,
  start: 'Set password and start',
  againTitle: 'Choose a new password',
  again: (name: string) => `Hello ${name}, choose a new password. You are then signed out everywhere.`,
  set: 'Set password',
  deadTitle: 'This link no longer works',
  dead: 'It was used already, is too old, or a newer one was sent.',
  deadInvitation: html`If you have set a password already, <a href="${SIGN_IN}">sign in</a>. Otherwise
    <a href="${RESET}">ask for a new link</a>.`,
  deadReset: html`If you know your password, <a href="${SIGN_IN}">sign in</a>. Otherwise
    <a href="${RESET}">ask for a new link</a>.`,
  changeTitle: 'Change your password',
  current: 'Current password',
  wrongCurrent: 'This is not your current password.',
  change: 'Change password',
  changeHint: 'You are then signed out everywhere else. API keys and connected applications keep working.',
  forgottenTitle: 'Forgot your password?',
  forgotten: 'We send a link to choose a new one to the address you sign in with.',
  email: 'E-mail address',
  send: 'Send the link',
  toSignIn: 'Back to sign-in',
  sentTitle: 'Check your e-mail',
  sent: (email: string) =>
    html`If someone signs in with <strong>${email}</strong>, a link is on its way to them.`,
  sentHint: 'It works for one hour. Nothing there? Look in the spam folder, or check the address.',
}

export const passwordTexts = texts(EN, {
  da: {
    signsInAs: 'Du logger ind som',
    next: 'Ny adgangskode',
    nextHint: (characters) =>
      `Mindst ${characters} tegn. Tre eller fire tilfældige ord er nemme at huske og svære at gætte.`,
    tooShort: (characters) => `Adgangskoden skal have mindst ${characters} tegn.`,
    tooLong: (characters) => `Adgangskoden er for lang (højst ${characters} tegn).`,
    welcomeTitle: 'Velkommen',
    welcome: (name, company) =>
      `Hej ${name}. ${company} bruger Bellhop til sine opkald. Vælg en adgangskode for at komme i gang.`,
    start: 'Gem adgangskoden og kom i gang',
    againTitle: 'Vælg en ny adgangskode',
    again: (name) => `Hej ${name}. Vælg en ny adgangskode. Du bliver så logget ud alle steder.`,
    set: 'Gem adgangskoden',
    deadTitle: 'Linket virker ikke længere',
    dead: 'Det er allerede brugt, er for gammelt, eller der er sendt et nyere.',
    deadInvitation: html`Har du allerede valgt en adgangskode, så <a href="${SIGN_IN}">log ind</a>. Ellers
      <a href="${RESET}">bed om et nyt link</a>.`,
    deadReset: html`Kender du din adgangskode, så <a href="${SIGN_IN}">log ind</a>. Ellers
      <a href="${RESET}">bed om et nyt link</a>.`,
    changeTitle: 'Skift adgangskode',
    current: 'Nuværende adgangskode',
    wrongCurrent: 'Det er ikke din nuværende adgangskode.',
    change: 'Skift adgangskode',
    changeHint: 'Du bliver så logget ud alle andre steder. API-nøgler og tilknyttede apps virker fortsat.',
    forgottenTitle: 'Har du glemt din adgangskode?',
    forgotten: 'Vi sender et link til at vælge en ny til den adresse, du logger ind med.',
    email: 'E-mailadresse',
    send: 'Send linket',
    toSignIn: 'Tilbage til login',
    sentTitle: 'Se i din indbakke',
    sent: (email) => html`Hvis nogen logger ind med <strong>${email}</strong>, er et link på vej til dem.`,
    sentHint: 'Det virker i en time. Er der intet? Se i spammappen, eller tjek adressen.',
  },
  de: {
    signsInAs: 'Du meldest dich an als',
    next: 'Neues Passwort',
    nextHint: (characters) =>
      `Mindestens ${characters} Zeichen. Drei oder vier zufällige Wörter sind leicht zu merken und schwer zu erraten.`,
    tooShort: (characters) => `Das Passwort muss mindestens ${characters} Zeichen lang sein.`,
    tooLong: (characters) => `Das Passwort ist zu lang (höchstens ${characters} Zeichen).`,
    welcomeTitle: 'Willkommen',
    welcome: (name, company) =>
      `Hallo ${name}, ${company} telefoniert mit Bellhop. Leg ein Passwort fest, dann kann es losgehen.`,
    start: 'Passwort speichern und loslegen',
    againTitle: 'Neues Passwort festlegen',
    again: (name) => `Hallo ${name}, leg ein neues Passwort fest. Danach bist du überall abgemeldet.`,
    set: 'Passwort speichern',
    deadTitle: 'Dieser Link gilt nicht mehr',
    dead: 'Er wurde schon benutzt, ist zu alt, oder es wurde ein neuerer gesendet.',
    deadInvitation: html`Wenn du schon ein Passwort hast, <a href="${SIGN_IN}">melde dich an</a>. Sonst
      <a href="${RESET}">fordere einen neuen Link an</a>.`,
    deadReset: html`Wenn du dein Passwort kennst, <a href="${SIGN_IN}">melde dich an</a>. Sonst
      <a href="${RESET}">fordere einen neuen Link an</a>.`,
    changeTitle: 'Passwort ändern',
    current: 'Aktuelles Passwort',
    wrongCurrent: 'Das ist nicht dein aktuelles Passwort.',
    change: 'Passwort ändern',
    changeHint:
      'Danach bist du überall sonst abgemeldet. API-Schlüssel und verbundene Apps funktionieren weiter.',
    forgottenTitle: 'Passwort vergessen?',
    forgotten: 'Wir senden dir einen Link für ein neues Passwort an die Adresse, mit der du dich anmeldest.',
    email: 'E-Mail-Adresse',
    send: 'Link senden',
    toSignIn: 'Zurück zur Anmeldung',
    sentTitle: 'Sieh in deinem Postfach nach',
    sent: (email) =>
      html`Wenn sich jemand mit <strong>${email}</strong> anmeldet, ist ein Link dorthin unterwegs.`,
    sentHint: 'Er gilt eine Stunde. Nichts angekommen? Sieh im Spamordner nach oder prüf die Adresse.',
  },
  sv: {
    signsInAs: 'Du loggar in som',
    next: 'Nytt lösenord',
    nextHint: (characters) =>
      `Minst ${characters} tecken. Tre eller fyra slumpmässiga ord är lätta att komma ihåg och svåra att gissa.`,
    tooShort: (characters) => `Lösenordet måste ha minst ${characters} tecken.`,
    tooLong: (characters) => `Lösenordet är för långt (högst ${characters} tecken).`,
    welcomeTitle: 'Välkommen',
    welcome: (name, company) =>
      `Hej ${name}! ${company} använder Bellhop för sina samtal. Välj ett lösenord för att komma igång.`,
    start: 'Spara lösenordet och kom igång',
    againTitle: 'Välj ett nytt lösenord',
    again: (name) => `Hej ${name}! Välj ett nytt lösenord. Du loggas då ut överallt.`,
    set: 'Spara lösenordet',
    deadTitle: 'Länken fungerar inte längre',
    dead: 'Den har redan använts, är för gammal, eller så har en nyare skickats.',
    deadInvitation: html`Om du redan har valt ett lösenord kan du <a href="${SIGN_IN}">logga in</a>. Annars
      kan du <a href="${RESET}">be om en ny länk</a>.`,
    deadReset: html`Om du kan ditt lösenord kan du <a href="${SIGN_IN}">logga in</a>. Annars kan du
      <a href="${RESET}">be om en ny länk</a>.`,
    changeTitle: 'Byt lösenord',
    current: 'Nuvarande lösenord',
    wrongCurrent: 'Det är inte ditt nuvarande lösenord.',
    change: 'Byt lösenord',
    changeHint: 'Du loggas då ut överallt utom här. API-nycklar och anslutna appar fungerar som förut.',
    forgottenTitle: 'Har du glömt lösenordet?',
    forgotten: 'Vi skickar en länk för att välja ett nytt till adressen du loggar in med.',
    email: 'E-postadress',
    send: 'Skicka länken',
    toSignIn: 'Tillbaka till inloggningen',
    sentTitle: 'Kolla din e-post',
    sent: (email) => html`Om någon loggar in med <strong>${email}</strong> är en länk på väg dit.`,
    sentHint: 'Den fungerar i en timme. Har inget kommit? Titta i skräpposten eller kontrollera adressen.',
  },
})
