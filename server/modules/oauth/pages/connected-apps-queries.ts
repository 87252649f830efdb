import type { Queryable } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import type { QueueTx } from '../../queue/index.ts'

export interface ConnectedApp {
  client_id: string
  name: string
  redirect_uris: string[]
  metadata_url: string | null
  since: Date
  last_used_at: Date | null
}

/** Each application once, however often it was allowed. */
export function selectConnectedApps(sql: Queryable, { companyId, employeeId }: Actor) {
  return sql<ConnectedApp[]>`
    select oauth_clients.id as client_id, name, redirect_uris, metadata_url,
      min(oauth_grants.created_at) as since, max(last_used_at) as last_used_at
    from oauth_grants
    join oauth_clients on oauth_clients.id = client_id
    left join oauth_grant_uses on grant_id = oauth_grants.id
    where company_id = ${companyId} and employee_id = ${employeeId}
    group by oauth_clients.id
    order by since desc, oauth_clients.id`
}

/** All grants of the employee to the application, with their tokens. */
export async function deleteGrantsToClient(tx: QueueTx, { companyId, employeeId }: Actor, clientId: string) {
  await tx`
    delete from oauth_grants
    where company_id = ${companyId} and employee_id = ${employeeId} and client_id = ${clientId}`
}
