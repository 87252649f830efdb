import type { Queryable, Sql, Tx } from '../../../platform/db/database.ts'
import { firstRow, firstValue, hasRow, oneValue } from '../../../platform/db/rows.ts'
import { hasMadePhones } from '../../devices/index.ts'
import type { QueueTx } from '../../queue/index.ts'

export function insertGrant(
  tx: Tx,
  values: {
    company_id: string
    employee_id: string
    client_id: string
    mcp_only: boolean
    created_at: Date
  },
) {
  return oneValue(tx<{ id: string }[]>`insert into oauth_grants ${tx(values)} returning id`)
}

export function selectGrantee(sql: Queryable, id: string) {
  return firstRow(sql<{ companyId: string; employeeId: string }[]>`
    select company_id as "companyId", employee_id as "employeeId" from oauth_grants where id = ${id}`)
}

/** Codes, tokens and devices of the grant are deleted with it, and every process drops its cached access tokens. */
export async function deleteGrant(tx: QueueTx, id: string) {
  await tx`delete from oauth_grants where id = ${id}`
}

interface CodeRow {
  grant_id: string
  client_id: string
  mcp_only: boolean
  redirect_uri: string
  code_challenge: string
  expires_at: Date
  used_at: Date | null
}

interface NewCode {
  code_hash: Buffer
  grant_id: string
  redirect_uri: string
  code_challenge: string
  expires_at: Date
}

export async function insertCode(tx: Tx, code: NewCode) {
  await tx`insert into oauth_codes ${tx({ ...code })}`
}

/** Locks the grant first, as all who use or revoke its parts do, to avoid deadlocks. */
export function lockCode(tx: Tx, codeHash: Buffer) {
  return firstRow(tx<CodeRow[]>`
    select grant_id, client_id, mcp_only, redirect_uri, code_challenge, expires_at, used_at
    from oauth_codes join oauth_grants on oauth_grants.id = grant_id
    where code_hash = ${codeHash}
    for update of oauth_grants`)
}

/** True for only one of several concurrent attempts. */
export function useCode(tx: Tx, codeHash: Buffer, at: Date) {
  return hasRow(tx`
    update oauth_codes set used_at = ${at} where code_hash = ${codeHash} and used_at is null returning 1`)
}

export async function insertTokens(
  tx: Tx,
  grantId: string,
  tokens: Record<'access' | 'refresh', { hash: Buffer; expiresAt: Date }> & { mcpOnly: boolean },
) {
  const { access, refresh, mcpOnly } = tokens
  await tx`
    insert into oauth_access_tokens (token_hash, grant_id, expires_at, mcp_only)
    values (${access.hash}, ${grantId}, ${access.expiresAt}, ${mcpOnly})`
  await tx`
    insert into oauth_refresh_tokens (token_hash, grant_id, expires_at)
    values (${refresh.hash}, ${grantId}, ${refresh.expiresAt})`
}

interface RefreshRow {
  grant_id: string
  client_id: string
  mcp_only: boolean
  expires_at: Date
  used_at: Date | null
  answer_sealed: Buffer | null
}

export function lockRefreshToken(tx: Tx, tokenHash: Buffer) {
  return firstRow(tx<RefreshRow[]>`
    select grant_id, client_id, mcp_only, expires_at, used_at, answer_sealed
    from oauth_refresh_tokens join oauth_grants on oauth_grants.id = grant_id
    where token_hash = ${tokenHash}
    for update of oauth_grants`)
}

/** True for only one of several concurrent attempts. */
export function useRefreshToken(tx: Tx, tokenHash: Buffer, at: Date, answerSealed: Buffer) {
  return hasRow(tx`
    update oauth_refresh_tokens set used_at = ${at}, answer_sealed = ${answerSealed}
    where token_hash = ${tokenHash} and used_at is null returning 1`)
}

interface TokenRow {
  grant_id: string
  company_id: string
  employee_id: string
  mcp_only: boolean
  expires_at: Date
  last_used_at: Date | null
}

export function selectAccessToken(sql: Queryable, tokenHash: Buffer) {
  return firstRow(sql<TokenRow[]>`
    select oauth_grants.id as grant_id, company_id, employee_id, expires_at, last_used_at,
      oauth_grants.mcp_only or oauth_access_tokens.mcp_only as mcp_only
    from oauth_access_tokens join oauth_grants on oauth_grants.id = oauth_access_tokens.grant_id
    left join oauth_grant_uses on oauth_grant_uses.grant_id = oauth_grants.id
    where token_hash = ${tokenHash}`)
}

/** Unless the grant was deleted meanwhile, or a later use is stored. */
export async function upsertGrantUse(sql: Queryable, grantId: string, usedAt: Date) {
  await sql`
    insert into oauth_grant_uses (grant_id, last_used_at)
    select id, ${usedAt} from oauth_grants where id = ${grantId} for key share
    on conflict (grant_id) do update
    set last_used_at = greatest(oauth_grant_uses.last_used_at, excluded.last_used_at)`
}

/** The grant of an access or refresh token, if it is the client's. */
export function selectGrantOfToken(sql: Queryable, tokenHash: Buffer, clientId: string) {
  return firstValue(sql<{ id: string }[]>`
    select id from oauth_grants where client_id = ${clientId} and id in (
      select grant_id from oauth_access_tokens where token_hash = ${tokenHash}
      union all
      select grant_id from oauth_refresh_tokens where token_hash = ${tokenHash}
    )`)
}

/**
 * Grants with devices are deleted after those. Not in one transaction: it would lock tokens before grants, and others
 * lock them the other way round.
 */
export async function deleteExpired(sql: Sql, now: Date) {
  await sql`delete from oauth_codes where expires_at <= ${now}`
  await sql`delete from oauth_access_tokens where expires_at <= ${now}`
  await sql`delete from oauth_refresh_tokens where expires_at <= ${now}`
  await sql`
    delete from oauth_grants where
      not exists (select from oauth_codes where grant_id = oauth_grants.id)
      and not exists (select from oauth_access_tokens where grant_id = oauth_grants.id)
      and not exists (select from oauth_refresh_tokens where grant_id = oauth_grants.id)
      and not ${hasMadePhones(sql, sql`oauth_grants.id`)}`
}
