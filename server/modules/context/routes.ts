import { z } from 'zod'

import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import {
  createIntegration,
  deleteIntegration,
  type IntegrationParts,
  listIntegrations,
  readIntegration,
  rotateSigningSecret,
  updateIntegration,
} from './integrations/integrations.ts'
import { readCallContext, readCallerContext, testIntegration } from './lookup/caller-context.ts'
import type { LookUpParts } from './lookup/look-up.ts'
import {
  CallerContext,
  CallerQuery,
  Integration,
  IntegrationCreate,
  IntegrationUpdate,
  IntegrationWithSecret,
  TestLookUp,
  TestOutcome,
} from './schemas.ts'

export const contextRoutes = (parts: LookUpParts & IntegrationParts): Route[] => [
  ...callerRoutes(parts),
  ...integrationRoutes(parts),
]

const callerRoutes = (parts: LookUpParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/caller_context',
      name: 'get_caller_context',
      summary: 'Look up who has a phone number in the company’s other systems',
      query: CallerQuery,
      // A caller whom another system knows by name becomes a contact.
      mayAdd: true,
      mandatory: ['phone'],
      reply: { 200: CallerContext },
      refusals: { 400: { when: 'There is no `phone`: `phone parameter required`.' } },
    },
    ({ actor, query }) => readCallerContext(parts, actor, query),
  ),
  route(
    {
      method: 'GET',
      path: '/calls/:id/context',
      name: 'get_call_context',
      summary: 'Read what was known of the caller when the call came in',
      params: z.object({ id: Id('cal') }),
      reply: { 200: CallerContext },
    },
    ({ actor, params }) => readCallContext(parts, actor, params.id),
  ),
]

const params = z.object({ id: Id('int') })

const integrationRoutes = (parts: LookUpParts & IntegrationParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/integrations',
      name: 'list_integrations',
      summary: 'List the systems that are asked who calls',
      toolSet: 'administration',
      reply: { 200: z.array(Integration) },
    },
    ({ actor }) => listIntegrations(parts.db.sql, actor.companyId),
  ),
  route(
    {
      method: 'POST',
      path: '/integrations',
      name: 'create_integration',
      summary: 'Add a system that is asked who calls',
      body: IntegrationCreate,
      example: { provider: 'custom', label: 'CRM', url: 'https://1.1.1.1/callers' },
      toolSet: 'administration',
      reply: { 201: IntegrationWithSecret },
    },
    ({ actor, body }) => createIntegration(parts, actor, body),
  ),
  route(
    {
      method: 'GET',
      path: '/integrations/:id',
      name: 'get_integration',
      summary: 'Read how a system is asked, and whether it answers',
      params,
      toolSet: 'administration',
      reply: { 200: Integration },
    },
    ({ actor, params }) => readIntegration(parts.db.sql, actor, params.id),
  ),
  route(
    {
      method: 'PATCH',
      path: '/integrations/:id',
      name: 'update_integration',
      summary: 'Change, pause or resume an integration',
      params,
      body: IntegrationUpdate,
      example: { active: false },
      toolSet: 'administration',
      reply: { 200: Integration },
    },
    ({ actor, params, body }) => updateIntegration(parts, actor, params.id, body),
  ),
  route(
    {
      method: 'DELETE',
      path: '/integrations/:id',
      name: 'delete_integration',
      summary: 'Delete an integration with its credentials',
      params,
      toolSet: 'administration',
      reply: { 204: null },
    },
    ({ actor, params }) => parts.db.tx((tx) => deleteIntegration(tx, actor.companyId, params.id)),
  ),
  route(
    {
      method: 'POST',
      path: '/integrations/:id/test',
      name: 'test_integration',
      summary: 'Look up a number in one system; nothing of the answer is kept',
      params,
      body: TestLookUp,
      example: { phone: '+4520112233' },
      toolSet: 'administration',
      reply: { 200: TestOutcome },
    },
    ({ actor, params, body }) => testIntegration(parts, actor, params.id, body),
  ),
  route(
    {
      method: 'POST',
      path: '/integrations/:id/secret_rotation',
      name: 'rotate_integration_secret',
      summary: 'Replace the signing secret; for a day look-ups are signed with both',
      params,
      toolSet: 'administration',
      reply: { 200: IntegrationWithSecret },
      refusals: { 409: { when: 'Only a custom integration has a signing secret: `no_signing_secret`.' } },
    },
    ({ actor, params }) => rotateSigningSecret(parts, actor, params.id),
  ),
]
