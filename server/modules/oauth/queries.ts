import type { Tx } from '../../platform/db/database.ts'

export async function insertClient(
  tx: Tx,
  { name, redirect_uris, first_party }: { name: string; redirect_uris: string[]; first_party: boolean },
) {
  const [row] = await tx<{ id: string }[]>`
    insert into oauth_clients (name, redirect_uris, first_party)
    values (${name}, ${redirect_uris}, ${first_party}) returning id`
  return row!.id
}
