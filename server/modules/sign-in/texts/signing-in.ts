import { texts } from '../../../platform/http/texts.ts'

const EN = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  button: 'Sign in',
  forgotten: 'Forgot your password?',
  wrong: 'That e-mail address and password do not match.',
  /** Notices that the previous page may request. */
  notices: {
    'signed-out': 'You are signed out.',
    'password-set': 'Your new password is set. Sign in with it.',
    'email-confirmed': 'Your new e-mail address is confirmed. Sign in with it from now on.',
  } as Record<string, string>,
  waitSeconds: (count: number) =>
    `There were too many attempts. Try again in ${count === 1 ? '1 second' : `${count} seconds`}.`,
  waitMinutes: (count: number) =>
    `There were too many attempts. Try again in ${count === 1 ? '1 minute' : `${count} minutes`}.`,
  isSignedIn: 'You are signed in',
  continue: 'Continue to the application',
  signOutTitle: 'Sign out?',
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  signOut: 'Sign out',
  toDashboard: 'Back to the dashboard',
}

export const signingInTexts = texts(EN, {
  title: 'Log ind',
  email: 'E-mailadresse',
  password: 'Adgangskode',
  button: 'Log ind',
  forgotten: 'Har du glemt din adgangskode?',
  wrong: 'Den e-mailadresse og adgangskode hører ikke sammen.',
  notices: {
    'signed-out': 'Du er logget ud.',
    'password-set': 'Din nye adgangskode er valgt. Log ind med den.',
    'email-confirmed': 'Din nye e-mailadresse er bekræftet. Log ind med den fremover.',
  },
  waitSeconds: (count) =>
    `Der var for mange forsøg. Prøv igen om ${count === 1 ? '1 sekund' : `${count} sekunder`}.`,
  waitMinutes: (count) =>
    `Der var for mange forsøg. Prøv igen om ${count === 1 ? '1 minut' : `${count} minutter`}.`,
  isSignedIn: 'Du er logget ind',
  continue: 'Fortsæt til programmet',
  signOutTitle: 'Log ud?',
  signedInAs: (email) => `Du er logget ind som ${email}.`,
  signOut: 'Log ud',
  toDashboard: 'Tilbage til dashboardet',
})
