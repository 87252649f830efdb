import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow, hasRow } from '../../../platform/db/rows.ts'

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

interface PromptPlace {
  place: string
  digest: string
}

/** From now on, the places of prompts that have audio fall back on it. */
export async function upsertReadyPlaces(tx: Tx, companyId: string, numberId: string, places: PromptPlace[]) {
  await tx`
    insert into prompt_places (company_id, business_number_id, place, digest)
    select ${companyId}, ${numberId}, spoken.place, spoken.digest
    from unnest(
      ${places.map(({ place }) => place)}::text[], ${places.map(({ digest }) => digest)}::text[]
    ) as spoken (place, digest)
    join prompts on company_id = ${companyId} and business_number_id = ${numberId}
      and prompts.digest = spoken.digest and audio_key is not null
    on conflict (company_id, business_number_id, place) do update set digest = excluded.digest`
}

export async function deleteOtherPlaces(tx: Tx, companyId: string, numberId: string, places: string[]) {
  await tx`
    delete from prompt_places
    where company_id = ${companyId} and business_number_id = ${numberId} and place <> all(${places}::text[])`
}

/** Keeps those that a place still falls back on. */
export function deleteOtherPrompts(tx: Tx, companyId: string, numberId: string, digests: string[]) {
  return tx<{ audio_key: string | null }[]>`
    delete from prompts
    where company_id = ${companyId} and business_number_id = ${numberId} and digest <> all(${digests}::text[])
      and digest not in (
        select digest from prompt_places where company_id = ${companyId} and business_number_id = ${numberId}
      )
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

/** The audio of a prompt, which is final, or else the last audio of its places; undefined if there is none yet. */
export function selectAudioKey(
  sql: Queryable,
  companyId: string,
  numberId: string,
  { digest, places }: { digest: string; places: string[] },
) {
  return firstRow(sql<{ audio_key: string; is_final: boolean }[]>`
    select audio_key, digest = ${digest} as is_final from prompts
    where company_id = ${companyId} and business_number_id = ${numberId} and audio_key is not null
      and (digest = ${digest} or digest in (
        select digest from prompt_places
        where company_id = ${companyId} and business_number_id = ${numberId} and place = any(${places}::text[])
      ))
    order by digest = ${digest} desc limit 1`)
}
