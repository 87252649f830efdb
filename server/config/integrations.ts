import { z } from 'zod'

import { baseAddress, type Environment, variables } from './variables.ts'

/** Webhooks, and the systems that know a caller. */
export const integrations = variables({
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: [
    z.enum(['0', '1']).default('0'),
    '1 to let webhooks go to http addresses and private networks, or 0',
  ],
  SHOPIFY_URL: [baseAddress().optional(), 'the address of the Admin API of all Shopify shops'],
  ECONOMIC_URL: [baseAddress().optional(), 'the address of the REST API of e-conomic'],
})

export function readIntegrations(environment: Environment) {
  const given = integrations.read(environment)
  return {
    webhooksAllowInsecure: given.BELLHOP_WEBHOOKS_ALLOW_INSECURE === '1',
    context: { shopifyUrl: given.SHOPIFY_URL, economicUrl: given.ECONOMIC_URL },
  }
}
