export { accountPage, nameForm } from './pages/account/account-page.ts'
export { signedInHeader } from './pages/page-header.ts'
export { endSession } from './session/end-session.ts'
export type { Guard } from './session/guard.ts'
export { signInJobs } from './jobs.ts'
export { returnPath, signInUrl } from './session/return-path.ts'
export { sessionRoutes } from './routes.ts'
export {
  csrfField,
  hasCsrfToken,
  type Session,
  SESSION_ENDED_CHANNEL,
  sessionExpiryOf,
  type Sessions,
} from './session/sessions.ts'
export { createSignIn, type SignIn } from './sign-in.ts'
export { describeBrowser } from './session/user-agent.ts'
export { resetTwoFactor } from './second-factor/two-factor.ts'
