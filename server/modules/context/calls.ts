import { publishToCompany } from '../../live.ts'
import type { Tx } from '../../platform/db/database.ts'
import { enqueueForCompany } from '../../platform/jobs/job.ts'
import { normalizePhone } from '../../platform/text/phone.ts'
import { companyCountry } from '../company/index.ts'
import { lookUpCaller } from './jobs.ts'
import { lookUp, type LookUpParts } from './lookup/look-up.ts'
import { searchTextOf } from './lookup/search-text.ts'
import { upsertCallContext } from './queries.ts'

/**
 * For a company that `hasActiveIntegrations`, in the transaction that makes the call: looking up begins when, and only
 * if, that commits.
 */
export async function lookUpForCall(tx: Tx, companyId: string, callId: string, phone: string): Promise<void> {
  await enqueueForCompany(tx, lookUpCaller, { companyId, callId, phone })
}

interface IncomingCall {
  companyId: string
  callId: string
  /** As the carrier gave it; a caller may have hidden it. */
  phone: string
}

export interface SaveParts extends LookUpParts {
  /** Lets the call be found by what the context says of it. Handed in, since calls import this module. */
  saveCallContextWords(tx: Tx, companyId: string, callId: string, text: string | null): Promise<void>
}

export async function lookUpAndSave(
  parts: SaveParts,
  { companyId, callId, phone: given }: IncomingCall,
): Promise<void> {
  const country = await companyCountry(parts.db.sql, companyId)
  const phone = normalizePhone(given, country)
  if (!phone) return
  await lookUp(parts, { companyId, phone, country }, async (tx, found) => {
    if (!(await upsertCallContext(tx, companyId, callId, found))) return
    await parts.saveCallContextWords(tx, companyId, callId, searchTextOf(found.contexts))
    await publishToCompany(tx, companyId, { type: 'call_update', id: callId })
  })
}
