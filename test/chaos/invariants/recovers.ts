import { setTimeout as pause } from 'node:timers/promises'

import type { CampaignState } from '../campaign-state.ts'
import { activeCall, completeTransfer, isDone } from '../load/api.ts'
import { postCallback } from '../load/incoming-texts.ts'
import type { Leg } from '../load/leg.ts'
import type { Invariant } from './invariant.ts'

const LIMITS = { tries: 3, waitMs: 15_000, lookMs: 100 }

const found = new WeakMap<CampaignState, Promise<string[]>>()

/** After everything: a call through each edge, a transfer, a text, and a live message about it for every client. */
export const worksAgain: Invariant = {
  name: 'afterwards everything works again',
  isFinal: true,
  async check(world) {
    // Done once: a second check would call again.
    const broken = found.get(world) ?? tryEverything(world)
    found.set(world, broken)
    return { checked: world.stage.rolesOf('edge').length + 3, broken: await broken }
  },
}

async function tryEverything(world: CampaignState): Promise<string[]> {
  const broken: string[] = []
  const attempt = async (what: string, run: () => Promise<string | undefined>) => {
    let why: string | undefined
    for (let tried = 0; tried < LIMITS.tries; tried++) {
      why = await run()
      if (!why) return
    }
    broken.push(`${what}: ${why}`)
  }
  for (const [index, role] of world.stage.rolesOf('edge').entries())
    await attempt(`a call through ${role.name}`, () => callThrough(world, index))
  await attempt('a transfer', () => transferCall(world))
  await attempt('a text', () => sendText(world))
  await attempt('the live channel', () => tellClients(world))
  return broken
}

/** Both legs of a call to the first employee, in which the two hear each other. */
async function talkWithDesk(
  { stage, carrier, phones }: CampaignState,
  edge: number,
): Promise<{ legs: Leg[]; why?: string }> {
  const phone = phones.of(stage.company.desks[0]!)
  let taken: Leg | undefined
  phone.onCall = (leg) => (taken = leg)
  const customer = await carrier.dial(stage.company.lines[0]!.number, edge)
  const legs = () => [customer, ...(taken ? [taken] : [])]
  const hear = () => taken && hearEachOther(customer, taken)
  return (await soon(hear)) ? { legs: legs() } : { legs: legs(), why: 'the two do not hear each other' }
}

async function callThrough(world: CampaignState, edge: number): Promise<string | undefined> {
  const { legs, why } = await talkWithDesk(world, edge)
  await allHangUp(legs)
  return why
}

async function transferCall(world: CampaignState): Promise<string | undefined> {
  const { stage, phones, api } = world
  const [desk, coworker] = [stage.company.desks[0]!, stage.company.coworkers[0]!]
  const { legs, why } = await talkWithDesk(world, 0)
  let taken: Leg | undefined
  const phone = phones.of(coworker)
  phone.manner = 'answers'
  phone.onCall = (leg) => (taken = leg)
  const begin = async (): Promise<string | undefined> => {
    const active = await activeCall(api, desk.key)
    if (active.is !== 'answered' || active.status !== 200) return `no active call: ${said(active)}`
    const path = `/calls/${active.body.call.id}/transfers`
    const begun = await api.ask(desk.key, 'POST', path, { employee_id: coworker.id })
    if (begun.is !== 'answered' || begun.status !== 201) return `not begun: ${said(begun)}`
    if (!(await soon(() => taken && hearEachOther(legs[1]!, taken))))
      return 'the coworkers do not hear each other'
    const done = await completeTransfer(api, desk.key, `${path}/${begun.body.transfer.id}`)
    if (!isDone(done)) return `not completed: ${said(done)}`
    return (await soon(() => hearEachOther(legs[0]!, taken!)))
      ? undefined
      : 'the customer does not hear the coworker'
  }
  const trouble = why ?? (await begin())
  await allHangUp([...legs, ...(taken ? [taken] : [])])
  return trouble
}

async function sendText({ stage, api, provider }: CampaignState): Promise<string | undefined> {
  const text = `The last text, ${performance.now()}`
  const path = `/business_numbers/${stage.company.texting.id}/messages`
  const body = { to: '+4520112233', text, idempotency_key: text }
  const sent = await api.ask(stage.company.shy.key, 'POST', path, body)
  if (sent.is !== 'answered' || sent.status !== 201) return said(sent)
  return provider.sent.get(text) === 1 ? undefined : 'the provider did not get it'
}

async function tellClients({ stage, live, provider, api }: CampaignState): Promise<string | undefined> {
  if (!(await soon(() => live.every((client) => client.isSubscribed()))))
    return 'not all clients are connected'
  const deaf = new Set(live)
  for (const client of live)
    client.onMessage(({ type }) => void (type === 'sms_update' && deaf.delete(client)))
  const id = `last-${performance.now()}`
  const to = stage.company.texting.number
  await postCallback(api, provider.incoming({ id, from: '+4530999999', to, text: 'Bye' }))
  const areTold = await soon(() => deaf.size === 0)
  return areTold ? undefined : `${[...deaf].map(({ name }) => name).join(', ')} heard nothing`
}

async function soon(holds: () => boolean | undefined): Promise<boolean> {
  for (const since = performance.now(); performance.now() - since < LIMITS.waitMs; await pause(LIMITS.lookMs))
    if (holds()) return true
  return false
}

const RECENT_MS = 500
function hearEachOther(one: Leg, other: Leg): boolean {
  const heardAt = Math.min(one.party.heardAt(other.party), other.party.heardAt(one.party))
  return performance.now() - heardAt < RECENT_MS
}

async function allHangUp(legs: Leg[]): Promise<void> {
  for (const leg of legs) leg.hangUp()
  await soon(() => legs.every((leg) => leg.isOver()))
}

const said = (outcome: Awaited<ReturnType<CampaignState['api']['ask']>>) =>
  outcome.is === 'unknown' ? outcome.why : `${outcome.status} ${JSON.stringify(outcome.body)}`
