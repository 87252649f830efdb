export type { CheckInstallation } from './checks.ts'
export { onboardingRoutes } from './routes.ts'
