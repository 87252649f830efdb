import type { Clock } from '../../platform/clock.ts'
import { createSafeAgent } from '../../platform/net/safe-agent.ts'
import { custom } from './custom.ts'
import { economic } from './economic.ts'
import { CONTEXT_LIMITS } from './limits.ts'
import { type ContextProviderName, type ContextProviders, type ProviderAccount } from './port.ts'
import { type LookUp, type LookUpHttpClient, withDeadline } from './request-json.ts'
import { shopify } from './shopify.ts'
import { woocommerce } from './woocommerce.ts'

interface SourcesOptions {
  clock: Clock
  /** For development and tests: allows http, and addresses of this machine and its network. */
  allowInsecure: boolean
  /** Base URLs of providers, if not the real ones. */
  shopifyUrl?: string
  economicUrl?: string
}

/** All requests use the safe agent: URLs come from companies, and names may resolve to anything. */
export function createContextProviders(options: SourcesOptions): ContextProviders {
  const { clock, allowInsecure, shopifyUrl, economicUrl } = options
  const agent = createSafeAgent({
    allowPrivate: allowInsecure,
    connectionsPerHost: CONTEXT_LIMITS.connectionsPerHost,
    connectMs: CONTEXT_LIMITS.answerMs,
  })
  const line: LookUpHttpClient = { agent, clock, allowInsecure }
  const providers: { [Name in ContextProviderName]: (account: AccountOf<Name>) => LookUp } = {
    custom: (account) => custom(line, account),
    shopify: (account) => shopify(line, account, { baseUrl: shopifyUrl }),
    woocommerce: (account) => woocommerce(line, account),
    economic: (account) => economic(line, account, { baseUrl: economicUrl }),
  }
  return {
    lookUp(account, question) {
      const lookUp = providers[account.provider](account as never)
      return withDeadline(clock, (signal) => lookUp(question, signal))
    },
    close: () => agent.destroy(),
  }
}

type AccountOf<Name extends ContextProviderName> = Extract<ProviderAccount, { provider: Name }>
