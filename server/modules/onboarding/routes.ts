import type { Dependencies } from '../../platform/dependencies.ts'
import { type Route, route } from '../../platform/http/route.ts'
import type { SimulatedCustomers } from '../simulator/index.ts'
import { type CheckInstallation, keepChecks, readChecks } from './checks.ts'
import { readOnboarding, updateOnboarding } from './onboarding.ts'
import { Onboarding, OnboardingChecks, OnboardingUpdate } from './schemas.ts'

export interface OnboardingParts extends Dependencies<'db' | 'clock'> {
  people: SimulatedCustomers
  checkInstallation: CheckInstallation
}

export function onboardingRoutes({ db, clock, people, checkInstallation }: OnboardingParts): Route[] {
  const checks = keepChecks(clock, checkInstallation)
  return [
    route(
      {
        method: 'GET',
        path: '/onboarding',
        name: 'get_onboarding',
        summary: 'Read which of the first steps you have taken',
        toolSet: 'none',
        reply: { 200: Onboarding },
      },
      ({ actor }) => readOnboarding(db.sql, people, actor),
    ),
    route(
      {
        method: 'PUT',
        path: '/onboarding',
        name: 'update_onboarding',
        summary: 'Put the list of first steps away, or bring it back',
        toolSet: 'none',
        body: OnboardingUpdate,
        example: { dismissed: true },
        reply: { 200: Onboarding },
      },
      ({ actor, body }) => db.tx((tx) => updateOnboarding(tx, people, actor, body)),
    ),
    route(
      {
        method: 'GET',
        path: '/onboarding/checks',
        name: 'get_onboarding_checks',
        summary: 'Read what the installation lacks for a first call, as of the last few minutes',
        toolSet: 'none',
        reply: { 200: OnboardingChecks },
      },
      ({ actor }) => readChecks(db.sql, checks, actor, { again: false }),
    ),
    route(
      {
        method: 'POST',
        path: '/onboarding/checks',
        name: 'check_installation',
        summary: 'Check again what the installation lacks for a first call',
        toolSet: 'none',
        reply: { 200: OnboardingChecks },
      },
      ({ actor }) => readChecks(db.sql, checks, actor, { again: true }),
    ),
  ]
}
