import { setTimeout as pause } from 'node:timers/promises'

import type { RunningBellhop } from '../chaos/environment/running-bellhop.ts'
import { callsOver } from '../chaos/invariants/calls-over.ts'
import { textsSentOnce } from '../chaos/invariants/texts-sent-once.ts'
import { webhooksDelivered } from '../chaos/invariants/webhooks-delivered.ts'
import type { Writes } from './failover/load.ts'

const LIMITS = { lookMs: 1_000, settleMs: 180_000 }

/** What was acknowledged and is not there, and what is there although it was refused. */
export async function lostWrites(
  stage: RunningBellhop,
  { acknowledged, unanswered }: Writes,
): Promise<string[]> {
  const sql = stage.postgres.connect()
  try {
    const rows = await sql<{ phone: string }[]>`
      select phone from contacts where company_id = ${stage.company.id}`
    const stored = new Set(rows.map(({ phone }) => phone))
    const lost = [...acknowledged].filter((phone) => !stored.has(phone))
    const unasked = [...stored].filter((phone) => !acknowledged.has(phone) && !unanswered.has(phone))
    return [
      ...lost
        .slice(0, 5)
        .map((phone) => `contact ${phone} was acknowledged and is lost (${lost.length} are)`),
      ...unasked.slice(0, 5).map((phone) => `contact ${phone} is stored, though it was refused`),
    ]
  } finally {
    await sql.end()
  }
}

type Checked = Parameters<typeof webhooksDelivered.check>[0] &
  Parameters<typeof textsSentOnce.check>[0] &
  Parameters<typeof callsOver.check>[0]

/** What was delayed has this long to be made up for. */
export async function settle(world: Checked, tell: (line: string) => void): Promise<string[]> {
  for (const since = performance.now(); ; await pause(LIMITS.lookMs)) {
    const invariants = [textsSentOnce, webhooksDelivered, callsOver]
    const findings = await Promise.all(invariants.map((invariant) => invariant.check(world)))
    const sentences = findings.flatMap((finding) => finding.broken)
    if (sentences.length > 0 && performance.now() - since < LIMITS.settleMs) continue
    for (const [index, { name }] of invariants.entries()) tell(`${name}: ${findings[index]!.checked} checked`)
    tell(`settled ${((performance.now() - since) / 1_000).toFixed(0)} s after everybody had hung up`)
    return sentences
  }
}
