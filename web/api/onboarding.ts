import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Onboarding = components['schemas']['Onboarding']
export type OnboardingStep = Onboarding['steps'][number]['step']
export type InstallationCheck = components['schemas']['OnboardingChecks']['checks'][number]

/** The first steps of whoever is signed in. */
export const onboardingQuery = () =>
  queryOptions({
    queryKey: ['onboarding'],
    queryFn: () => answerOf(client.GET('/api/v1/onboarding', {})),
  })

export const dismissOnboarding = () =>
  answerOf(client.PUT('/api/v1/onboarding', { body: { dismissed: true } }))

/** What the installation lacks for a first call. */
export const installationChecksQuery = () =>
  queryOptions({
    queryKey: ['installation-checks'],
    queryFn: () => answerOf(client.GET('/api/v1/onboarding/checks', {})),
    staleTime: Infinity,
  })

export const checkInstallation = () => answerOf(client.POST('/api/v1/onboarding/checks', {}))

export const simulateCall = () => answerOf(client.POST('/api/v1/simulated_calls', {}))
export const simulateText = () => answerOf(client.POST('/api/v1/simulated_texts', {}))
