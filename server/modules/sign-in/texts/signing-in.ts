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
  da: {
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
  },
  de: {
    title: 'Anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    button: 'Anmelden',
    forgotten: 'Passwort vergessen?',
    wrong: 'E-Mail-Adresse und Passwort passen nicht zusammen.',
    notices: {
      'signed-out': 'Du bist abgemeldet.',
      'password-set': 'Dein neues Passwort ist gespeichert. Melde dich damit an.',
      'email-confirmed': 'Deine neue E-Mail-Adresse ist bestätigt. Melde dich ab jetzt damit an.',
    },
    waitSeconds: (count) =>
      `Das waren zu viele Versuche. Versuch es in ${count === 1 ? '1 Sekunde' : `${count} Sekunden`} noch einmal.`,
    waitMinutes: (count) =>
      `Das waren zu viele Versuche. Versuch es in ${count === 1 ? '1 Minute' : `${count} Minuten`} noch einmal.`,
    isSignedIn: 'Du bist angemeldet',
    continue: 'Weiter zur App',
    signOutTitle: 'Abmelden?',
    signedInAs: (email) => `Du bist als ${email} angemeldet.`,
    signOut: 'Abmelden',
    toDashboard: 'Zurück zum Dashboard',
  },
  sv: {
    title: 'Logga in',
    email: 'E-postadress',
    password: 'Lösenord',
    button: 'Logga in',
    forgotten: 'Har du glömt lösenordet?',
    wrong: 'E-postadressen och lösenordet stämmer inte överens.',
    notices: {
      'signed-out': 'Du är utloggad.',
      'password-set': 'Ditt nya lösenord är sparat. Logga in med det.',
      'email-confirmed': 'Din nya e-postadress är bekräftad. Logga in med den från och med nu.',
    },
    waitSeconds: (count) =>
      `Det blev för många försök. Försök igen om ${count === 1 ? '1 sekund' : `${count} sekunder`}.`,
    waitMinutes: (count) =>
      `Det blev för många försök. Försök igen om ${count === 1 ? '1 minut' : `${count} minuter`}.`,
    isSignedIn: 'Du är inloggad',
    continue: 'Fortsätt till appen',
    signOutTitle: 'Logga ut?',
    signedInAs: (email) => `Du är inloggad som ${email}.`,
    signOut: 'Logga ut',
    toDashboard: 'Tillbaka till dashboarden',
  },
})
