import type { Tx } from '../../../platform/db/database.ts'
import { endAccess } from '../../queue/index.ts'
import { deleteGrant, selectGrantee } from './grant-queries.ts'

/**
 * Ends a grant with its codes, tokens and devices. Must not run in a transaction that has locked the grant: the queue
 * lock comes first.
 */
export async function endGrant(tx: Tx, id: string): Promise<void> {
  const grantee = await selectGrantee(tx, id)
  if (grantee) await endAccess(tx, grantee, (queue) => deleteGrant(queue, id))
}
