export { accountPage } from './pages/account/account-page.ts'
export { signedInBar } from './pages/bar.ts'
export { endSession } from './session/end-session.ts'
export type { Guard } from './session/guard.ts'
export { signInJobs } from './jobs.ts'
export { returnPath, signInUrl } from './session/return-path.ts'
export { sessionRoutes } from './routes.ts'
export {
  csrfField,
  hasCsrfToken,
  lastMomentOf,
  type Session,
  SESSION_GONE,
  type Sessions,
} from './session/sessions.ts'
export { createSignIn, type SignIn } from './sign-in.ts'
export { describeBrowser } from './session/user-agent.ts'
export { forgetTwoFactor } from './second-factor/two-factor.ts'
