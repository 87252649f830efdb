import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow, firstValue, hasRow } from '../../../platform/db/rows.ts'

export function insertMissingPrompts(
  tx: Tx,
  companyId: string,
  numberId: string,
  language: string,
  prompts: { text: string; digest: string }[],
) {
  return tx<{ digest: string }[]>`
    insert into prompts (company_id, business_number_id, digest, language, text)
    select ${companyId}, ${numberId}, wanted.digest, ${language}, wanted.text
    from unnest(
      ${prompts.map(({ digest }) => digest)}::text[], ${prompts.map(({ text }) => text)}::text[]
    ) as wanted (digest, text)
    on conflict do nothing returning digest`
}

export function deleteOtherPrompts(tx: Tx, companyId: string, numberId: string, digests: string[]) {
  return tx<{ audio_key: string | null }[]>`
    delete from prompts
    where company_id = ${companyId} and business_number_id = ${numberId} and digest <> all(${digests}::text[])
    returning audio_key`
}

export function selectSpokenPrompts(sql: Queryable, companyId: string, numberId: string) {
  return sql<{ digest: string; audio_key: string }[]>`
    select digest, audio_key from prompts
    where company_id = ${companyId} and business_number_id = ${numberId} and audio_key is not null`
}

export function selectUnspokenPrompt(sql: Queryable, companyId: string, numberId: string, digest: string) {
  return firstRow(sql<{ language: string; text: string }[]>`
    select language, text from prompts
    where company_id = ${companyId} and business_number_id = ${numberId} and digest = ${digest}
      and audio_key is null`)
}

/** False if the prompt is no longer needed, or another run of the job has synthesised it meanwhile. */
export function updatePromptAudio(
  tx: Tx,
  companyId: string,
  numberId: string,
  digest: string,
  audioKey: string,
) {
  return hasRow(tx`
    update prompts set audio_key = ${audioKey}
    where company_id = ${companyId} and business_number_id = ${numberId} and digest = ${digest}
      and audio_key is null returning digest`)
}

export function selectPromptKey(sql: Queryable, companyId: string, numberId: string, digest: string) {
  return firstValue(sql<{ audio_key: string | null }[]>`
    select audio_key from prompts
    where company_id = ${companyId} and business_number_id = ${numberId} and digest = ${digest}`)
}
