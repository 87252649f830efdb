import { readReplaces, replacesIn } from '../../dialog/replaces.ts'
import { respondTo } from '../../message/create.ts'
import { find } from '../../message/fields.ts'
import { parseAddress } from '../../message/grammar/address.ts'
import type { Body } from '../../message/message.ts'
import { reasonOf } from '../../message/reasons.ts'
import type { ServerTransaction } from '../../transaction/server-transaction.ts'
import type { ReferRequest } from './call.ts'

const SUBSCRIPTION_S = 60

type Notify = (headers: Record<string, string>, body: Body) => void

/** RFC 3515: a REFER in a dialog, and the NOTIFYs that report on it. Undefined if it was refused. */
export function readRefer(
  transaction: ServerTransaction,
  dialogs: ReadonlyMap<string, unknown>,
  notify: Notify,
): ReferRequest | undefined {
  const { request } = transaction
  const { headers } = request
  const target = parseAddress(headers.get('refer-to') ?? '')
  if (!target || headers.all('refer-to').length !== 1) {
    transaction.respond(respondTo(request, 400))
    return undefined
  }
  const named = replacesIn(target.uri)
  const replaces = named === undefined ? undefined : readReplaces(named)
  // A peer that names a call by its tags takes part in it. A 481 would end the call of this REFER.
  if (named !== undefined && !(replaces && dialogs.has(replaces.dialog))) {
    transaction.respond(respondTo(request, 404))
    return undefined
  }
  const id = String(find.cseq(headers)!.number)
  const wantsReports = headers.get('refer-sub')?.toLowerCase() !== 'false'
  let isReporting = false
  const report = (status: number) => {
    if (!isReporting) return
    isReporting = status < 200
    const state = isReporting ? `active;expires=${SUBSCRIPTION_S}` : 'terminated;reason=noresource'
    const bytes = Buffer.from(`SIP/2.0 ${status} ${reasonOf(status)}\r\n`)
    notify(
      { event: `refer;id=${id}`, 'subscription-state': state },
      { contentType: 'message/sipfrag;version=2.0', bytes },
    )
  }
  return {
    target: target.uri,
    referredBy: headers.get('referred-by'),
    replaces: replaces?.dialog,
    accept() {
      if (transaction.isAnswered) return
      // RFC 4488: without reports there is no subscription to accept.
      const answer = wantsReports
        ? respondTo(request, 202)
        : respondTo(request, 200, { headers: { 'refer-sub': 'false' } })
      transaction.respond(answer)
      isReporting = wantsReports
      report(100)
    },
    refuse: (status) => transaction.respond(respondTo(request, status)),
    report,
  }
}
