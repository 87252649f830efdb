import { sha256 } from '../../platform/crypto/crypto.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { encodeId } from '../../platform/ids.ts'
import { formatPhone, WITHHELD_NUMBER } from '../../platform/text/phone.ts'
import { findCall } from '../calls/index.ts'
import { findEmployees } from '../employees/index.ts'
import { awaitedEmployees } from '../queue/index.ts'
import {
  type AlertedBrowser,
  deleteAlerts,
  deleteOutdatedAlerts,
  insertAlerts,
  updateSent,
} from './alert-queries.ts'
import { alertTexts } from './alert-texts.ts'
import { PUSH_LIMITS } from './limits.ts'
import { deleteDeadSubscriptions } from './queries.ts'
import type { PushOutcome, PushSender } from './sender.ts'
import { openTarget } from './subscriptions.ts'

export interface AlertParts extends Dependencies<'db' | 'log' | 'vault'> {
  sender: PushSender
}

interface WaitingCall {
  companyId: string
  callId: string
  /** When the caller joined the queue. */
  since: string
}

/** As the service worker of the dashboard reads it (web/service-worker/service-worker.ts). */
interface Alert {
  call: string
  state: 'waiting' | 'over'
  title: string
  body: string
}

type CallInfo = NonNullable<Awaited<ReturnType<typeof findCall>>>

/** Whom a browser rings: not somebody who has a call, or does not want to be disturbed. */
const RUNG = new Set(['available', 'ringing', 'logged_out'])

/** Has the browsers of the employees show a call that waits for them, and takes it back if it has stopped meanwhile. */
export async function announceWaitingCall(parts: AlertParts, waiting: WaitingCall): Promise<void> {
  const { db, log } = parts
  const { companyId, callId } = waiting
  const awaited = await awaitedEmployees(db.sql, companyId, callId)
  const rung = (await findEmployees(db.sql, companyId, awaited)).filter(({ status }) => RUNG.has(status))
  const call = rung.length > 0 && (await findCall(db.sql, companyId, callId))
  if (!call) return
  const browsers = await insertAlerts(
    db.sql,
    waiting,
    rung.map(({ id }) => id),
  )
  const sent = await sendAll(parts, companyId, browsers, (browser) => waitingAlert(call, browser))
  const idsOf = (isOk: boolean) => sent.flatMap(({ id, outcome }) => (outcome.ok === isOk ? id : []))
  await updateSent(db.sql, companyId, callId, idsOf(true))
  await deleteAlerts(db.sql, companyId, callId, idsOf(false))
  if (sent.length > 0) log.debug({ call: callId, browsers: sent.length }, 'browsers were rung')
  // Whoever took the call out of the queue before may not have seen that the message was sent.
  await withdrawOutdatedAlerts(parts, companyId, callId)
}

/** The call no longer waits: browsers show what became of it instead. */
export async function withdrawOutdatedAlerts(
  parts: AlertParts,
  companyId: string,
  callId: string,
): Promise<void> {
  const browsers = await deleteOutdatedAlerts(parts.db.sql, companyId, callId)
  const call = browsers.length > 0 && (await findCall(parts.db.sql, companyId, callId))
  if (call) await sendAll(parts, companyId, browsers, (browser) => overAlert(call, browser))
}

async function sendAll(
  { db, log, vault, sender }: AlertParts,
  companyId: string,
  browsers: readonly AlertedBrowser[],
  alertFor: (browser: AlertedBrowser) => Alert,
) {
  const sent = await Promise.all(
    browsers.map(async (browser) => {
      const alert = alertFor(browser)
      const outcome = await sender.send(openTarget(vault, browser), {
        text: JSON.stringify(alert),
        topic: topicOf(alert.call, browser.id),
        keptSeconds: alert.state === 'waiting' ? PUSH_LIMITS.freshSeconds : PUSH_LIMITS.leftSeconds,
      })
      return { id: browser.id, outcome }
    }),
  )
  const gone = sent.flatMap(({ id, outcome }) => (isGone(outcome) ? id : []))
  if (gone.length > 0) await deleteDeadSubscriptions(db.sql, companyId, gone)
  for (const { id, outcome } of sent)
    if (!outcome.ok && !isGone(outcome))
      log.warn({ subscription: id, why: outcome.why }, 'a browser could not be rung')
  return sent
}

const isGone = (outcome: PushOutcome) => !outcome.ok && outcome.why === 'gone'

/** Says nothing to the push service: 32 characters of base64url (RFC 8030 §5.4). */
const topicOf = (call: string, subscriptionId: string) =>
  sha256(`${call} ${subscriptionId}`).toString('base64url').slice(0, 32)

function waitingAlert(call: CallInfo, { language }: AlertedBrowser): Alert {
  const t = alertTexts[language]
  return {
    call: encodeId('cal', call.id),
    state: 'waiting',
    title: t.calls(callerOf(call, language)),
    body: t.open(call.main_number_name),
  }
}

function overAlert(call: CallInfo, { language, employee_id }: AlertedBrowser): Alert {
  const t = alertTexts[language]
  const caller = callerOf(call, language)
  const by = call.answered_at && call.employees[0]
  const answered = by && (by.id === employee_id ? t.answeredByYou(caller) : t.answeredBy(by.name, caller))
  return {
    call: encodeId('cal', call.id),
    state: 'over',
    title: answered || t.missed(caller),
    body: call.main_number_name,
  }
}

function callerOf({ contact_name, remote_number }: CallInfo, language: AlertedBrowser['language']): string {
  if (remote_number === WITHHELD_NUMBER) return alertTexts[language].withheld
  return contact_name ?? formatPhone(remote_number)
}
