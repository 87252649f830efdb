import type { z } from 'zod'

import type { Queryable } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { EdgeAnswer, TrunksAnswer } from '../edges/index.ts'
import { isOperator } from '../employees/index.ts'
import type { ListedTrunk, TrunkList } from './schemas.ts'

type Answer = EdgeAnswer<z.output<typeof TrunksAnswer>>
type SeenTrunk = z.output<typeof TrunksAnswer>['trunks'][number]

export interface TrunkParts {
  sql: Queryable
  /** The trunks as each running edge sees them. */
  askTrunks(): Promise<Answer[]>
}

/** The carriers belong to the installation, so an employee of one company may not see them. */
export async function listTrunks({ sql, askTrunks }: TrunkParts, actor: Actor): Promise<TrunkList> {
  if (!(await isOperator(sql, actor.companyId, actor.employeeId))) throw notAnOperator()
  const answers = await askTrunks()
  const answered = answers.filter((answer) => answer.ok)
  const trunks = new Map<string, ListedTrunk>()
  for (const { sip_host, sip_port, value } of answered)
    for (const seen of value.trunks) {
      const trunk = trunks.get(seen.name) ?? { name: seen.name, edges: [] }
      trunk.edges.push(atEdge(`${sip_host}:${sip_port}`, seen))
      trunks.set(seen.name, trunk)
    }
  return {
    trunks: [...trunks.values()],
    edges: answered.length,
    silent_edges: answers.length - answered.length,
  }
}

const notAnOperator = () =>
  new AppError({
    status: 403,
    code: 'not_an_operator',
    message: 'Only operators see the carriers. `bellhop employee operator` makes an employee one.',
  })

function atEdge(edge: string, seen: SeenTrunk): ListedTrunk['edges'][number] {
  const { registration, lastFailure } = seen
  return {
    edge,
    transport: seen.protocol ?? null,
    hosts: seen.hosts.map(({ place, isUp, probedAt }) => ({
      address: place,
      state: seen.isProbed ? (isUp ? 'up' : 'down') : 'not_probed',
      checked_at: probedAt ?? null,
    })),
    registration: registration?.in ?? 'none',
    registered_until: registration?.in === 'registered' ? registration.until : null,
    calls: seen.calls ?? null,
    last_failure: lastFailure
      ? {
          at: lastFailure.at,
          of: lastFailure.of,
          status: lastFailure.status ?? null,
          address: lastFailure.place ?? null,
        }
      : null,
  }
}
