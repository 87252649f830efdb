import type { Tx } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { encodeId } from '../../../platform/ids.ts'
import type { ContextProviders, LookUpOutcome } from '../../../providers/context/port.ts'
import { mergeContact } from '../../contacts/index.ts'
import { byPriority, providerAccountOf } from '../integrations/provider-accounts.ts'
import { LOOK_UP_LIMITS } from '../limits.ts'
import {
  type IntegrationRow,
  type LookUpRow,
  noteFailure,
  noteSuccess,
  selectIntegrations,
  upsertLookUp,
} from '../queries.ts'
import { mergeIdentities } from './identity.ts'

export interface LookUpParts extends Dependencies<'db' | 'clock' | 'log' | 'vault'> {
  sources: ContextProviders
}

export interface Caller {
  companyId: string
  /** E.164. */
  phone: string
  /** Of the company. */
  country: string
}

/**
 * Queries all integrations of the company concurrently and stores the results; undefined if there are none. `keep`
 * runs in the same transaction as the change to the contact.
 */
export async function lookUp(
  parts: LookUpParts,
  caller: Caller,
  keep: (tx: Tx, found: LookUpRow) => Promise<void> = async () => {},
): Promise<LookUpRow | undefined> {
  const { db, clock } = parts
  const rows = await selectIntegrations(db.sql, caller.companyId)
  const integrations = rows.filter(({ active }) => active).toSorted(byPriority)
  if (integrations.length === 0) return undefined
  const outcomes = await Promise.all(integrations.map((integration) => askOne(parts, caller, integration)))
  const contexts = outcomes.flatMap((outcome) => (outcome.is === 'found' ? [outcome.context] : []))
  const anyFailed = outcomes.some(({ is }) => is === 'failed')
  const now = clock.now()
  const found = { contexts, enriched_at: now }
  const freshMs = anyFailed ? LOOK_UP_LIMITS.freshAfterFailureMs : LOOK_UP_LIMITS.freshMs
  await db.tx(async (tx) => {
    await upsertLookUp(tx, caller.companyId, caller.phone, {
      ...found,
      freshUntil: new Date(now.getTime() + freshMs),
    })
    const identity = mergeIdentities(contexts)
    if (identity) await mergeContact(tx, caller.companyId, caller.phone, identity)
    await keep(tx, found)
  })
  return found
}

/** The outcome is stored with the integration; a failure does not affect the others. */
async function askOne(
  parts: LookUpParts,
  caller: Caller,
  integration: IntegrationRow,
): Promise<LookUpOutcome> {
  const { db, clock, log } = parts
  const { companyId } = caller
  const outcome = await queryProvider(parts, caller, integration)
  const now = clock.now()
  if (outcome.is !== 'failed') {
    const unlessSince = new Date(now.getTime() - LOOK_UP_LIMITS.successNotedMs)
    await noteSuccess(db.sql, companyId, integration.id, { now, unlessSince })
    return outcome
  }
  const { why, status } = outcome
  log.warn(
    { integration: encodeId('int', integration.id), provider: integration.provider, why, status },
    'a look-up of caller context failed',
  )
  await noteFailure(db.sql, companyId, integration.id, { now, why, status })
  return outcome
}

export async function queryProvider(
  { clock, vault, sources }: Pick<LookUpParts, 'clock' | 'vault' | 'sources'>,
  { phone, country }: Pick<Caller, 'phone' | 'country'>,
  integration: IntegrationRow,
): Promise<LookUpOutcome> {
  const account = providerAccountOf(vault, integration, clock.now())
  if (!account) return { is: 'failed', why: 'unreadable', status: null }
  return sources.lookUp(account, { phone, country, label: integration.label })
}
