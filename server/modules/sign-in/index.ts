export { accountPage } from './account-page.ts'
export { signedInBar } from './bar.ts'
export { endSession } from './end-session.ts'
export type { Guard } from './guard.ts'
export { signInJobs } from './jobs.ts'
export { returnPath, signInUrl } from './return-path.ts'
export { sessionRoutes } from './routes.ts'
export {
  csrfField,
  hasCsrfToken,
  lastMomentOf,
  type Session,
  SESSION_GONE,
  type Sessions,
} from './sessions.ts'
export { createSignIn, type SignIn } from './sign-in.ts'
export { describeBrowser } from './user-agent.ts'
export { forgetTwoFactor } from './two-factor.ts'
