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
})
