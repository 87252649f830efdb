import { AppError, fail, fieldError, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { normalizePhone } from '../../../platform/text/phone.ts'
import { companyCountry } from '../../company/index.ts'
import { findContactByPhone } from '../../contacts/index.ts'
import { selectCallContext, selectFreshLookUp, selectIntegration } from '../queries.ts'
import type { CallerContext, CallerQuery, TestOutcome } from '../schemas.ts'
import { lookUp, type LookUpParts, queryProvider } from './look-up.ts'

const phoneRequired = () => new AppError({ status: 400, code: 'phone parameter required' })

/** Uses a recent result if there is one, as for a call that has just arrived. */
export async function readCallerContext(
  parts: LookUpParts,
  { companyId }: Actor,
  { phone: input }: CallerQuery,
): Promise<CallerContext> {
  if (!input?.trim()) throw phoneRequired()
  const { db, clock } = parts
  const country = await companyCountry(db.sql, companyId)
  const phone = normalizePhone(input, country)
  if (!phone) return { contexts: [], enriched_at: null, contact: null }
  const found =
    (await selectFreshLookUp(db.sql, companyId, phone, clock.now())) ??
    (await lookUp(parts, { companyId, phone, country }))
  return {
    contexts: found?.contexts ?? [],
    enriched_at: found?.enriched_at ?? null,
    contact: (await findContactByPhone(db.sql, companyId, phone)) ?? null,
  }
}

/** What was known about the caller when the call arrived, with the current contact. */
export async function readCallContext(
  { db }: LookUpParts,
  { companyId }: Actor,
  callId: string,
): Promise<CallerContext> {
  const { phone, contexts, enriched_at } =
    (await selectCallContext(db.sql, companyId, callId)) ?? fail(notFound())
  const contact = (await findContactByPhone(db.sql, companyId, phone)) ?? null
  return { contexts: contexts ?? [], enriched_at, contact }
}

/** Queries one provider and stores nothing. */
export async function testIntegration(
  parts: LookUpParts,
  { companyId }: Actor,
  id: string,
  { phone: input }: { phone: string },
): Promise<TestOutcome> {
  const { db, clock } = parts
  const integration = (await selectIntegration(db.sql, companyId, id)) ?? fail(notFound())
  const country = await companyCountry(db.sql, companyId)
  const phone = normalizePhone(input, country) ?? fail(fieldError('phone', 'is not a phone number'))
  const startedAt = clock.now().getTime()
  const outcome = await queryProvider(parts, { phone, country }, integration)
  return {
    outcome: outcome.is,
    reason: outcome.is === 'failed' ? outcome.why : null,
    status_code: outcome.is === 'failed' ? outcome.status : null,
    duration_ms: clock.now().getTime() - startedAt,
    context: outcome.is === 'found' ? outcome.context : null,
  }
}
