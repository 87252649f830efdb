import type { Tx } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { endAccess } from '../../queue/index.ts'
import { deleteSession } from './queries.ts'

/** Also ends the devices of that browser. False if the employee has no such session. */
export const endSession = (tx: Tx, actor: Actor, sessionId: string): Promise<boolean> =>
  endAccess(tx, actor, (queue) => deleteSession(queue, actor.companyId, actor.employeeId, sessionId))
