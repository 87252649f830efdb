import { z } from 'zod'

import { followCompany, listenLive } from '../../live.ts'
import { dialogsOf } from '../../modules/calls/index.ts'
import { findDevice } from '../../modules/devices/index.ts'
import { findEmployeeByExtension } from '../../modules/employees/index.ts'
import { countVoicemails } from '../../modules/inbox/index.ts'
import { type Clock, withTimeout } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { PubSub } from '../../platform/db/pubsub.ts'
import type { Log } from '../../platform/log.ts'
import {
  type EventPackages,
  isSipUri,
  printUri,
  type SipSubscription,
  type SubscriptionRequest,
  type Uri,
} from '../../sip/index.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { CompanyFeed } from './company-feed.ts'
import { dialogInfo, type EmployeeDialog, withEnded } from './dialog-info.ts'
import { messageSummary, type VoicemailCounts } from './message-summary.ts'

interface SubscriptionParts {
  db: Database
  pubsub: PubSub
  clock: Clock
  log: Log
}

/** The lamps of phones: voicemails that wait, and coworkers who are on a call. */
export function createSubscriptions(parts: SubscriptionParts) {
  const { db, pubsub, clock, log } = parts
  const voicemails = new CompanyFeed<VoicemailCounts>(
    parts,
    async (companyId) => new Map([[ALL, await countVoicemails(db.sql, companyId)]]),
  )
  const dialogs = new CompanyFeed<EmployeeDialog[]>(parts, (companyId, employeeIds) =>
    readDialogs(db, companyId, employeeIds),
  )

  async function handle(request: SubscriptionRequest): Promise<void> {
    const own = await findDevice(db.sql, request.username)
    if (!own) return request.refuse(403)
    const user = userOf(request.target)
    const meant = await findMeant(db, own.companyId, user)
    if (!meant) return request.refuse(404)
    if (request.event === 'dialog')
      return subscribe(request, dialogs, { ...own, subject: meant }, dialogState)
    // Everybody in the company has the same voicemails, but a phone has no reason to ask for somebody else's.
    if (meant !== own.employeeId) return request.refuse(404)
    return subscribe(request, voicemails, { ...own, subject: ALL }, voicemailState)
  }

  /** Accepts the subscription once its state is known. */
  async function subscribe<State>(
    request: SubscriptionRequest,
    feed: CompanyFeed<State>,
    { companyId, subject }: { companyId: string; subject: string },
    open: (entity: string) => Shown<State>,
  ): Promise<void> {
    const shown = open(entityOf(request.target))
    let subscription: SipSubscription | undefined
    const following = followCompany(pubsub, companyId)
    const watching = following.then(() =>
      feed.watch(companyId, subject, (state) => {
        if (shown.update(state)) subscription?.changed()
      }),
    )
    const end = () => {
      // If one of them failed, it has nothing to end, and the phone learns of the failure below.
      watching.then(({ stop }) => stop()).catch(() => {})
      following.then((unfollow) => unfollow()).catch(() => {})
    }
    const known = watching
      .then((watch) => watch.known)
      .then(
        () => true,
        () => false,
      )
    const read = await withTimeout(clock, TELEPHONY_LIMITS.lampsReadMs, known)
    if (!read.ok || !read.value) {
      end()
      return request.refuse(503)
    }
    subscription = request.accept({ body: shown.body, ended: end })
  }

  const events: EventPackages = {
    contentTypes: {
      'message-summary': 'application/simple-message-summary',
      dialog: 'application/dialog-info+xml',
    },
    onSubscribe(request) {
      handle(request).catch((err: unknown) => {
        log.error({ err }, 'a subscription failed')
        request.refuse(500)
      })
    },
  }

  /** Changes reach every edge through the live channel; each notifies the phones that have subscribed there. */
  const listen = () =>
    listenLive(pubsub, {
      onMessage(companyId, json) {
        const { type } = LiveType.parse(JSON.parse(json))
        if (type === 'unseen_update') voicemails.changed(companyId)
        if (type === 'presence_update' || type === 'call_update') dialogs.changed(companyId)
      },
      onGap() {
        voicemails.allChanged()
        dialogs.allChanged()
      },
    })

  return { events, listen }
}

/** The voicemails of a company are one state. */
const ALL = ''

const LiveType = z.object({ type: z.string() })

const userOf = (uri: Uri) => (isSipUri(uri) ? (uri.user ?? '') : uri.opaque)

/** The address, without the port and the parameters by which the phone reached it. */
const entityOf = (uri: Uri) =>
  isSipUri(uri)
    ? printUri({
        scheme: 'sip',
        ...(uri.user !== undefined && { user: uri.user }),
        host: uri.host,
        params: new Map(),
      })
    : printUri(uri)

/** The employee of the company who has this extension, or a phone with this user name. */
async function findMeant(db: Database, companyId: string, user: string): Promise<string | undefined> {
  const extension = await findEmployeeByExtension(db.sql, companyId, user)
  if (extension) return extension.employee_id
  const device = await findDevice(db.sql, user)
  return device?.companyId === companyId ? device.employeeId : undefined
}

async function readDialogs(
  db: Database,
  companyId: string,
  employeeIds: string[],
): Promise<Map<string, EmployeeDialog[]>> {
  const found = new Map<string, EmployeeDialog[]>(employeeIds.map((id) => [id, []]))
  for (const { employee_id, id, is_caller, is_answered } of await dialogsOf(db.sql, companyId, employeeIds))
    found.get(employee_id)?.push({
      id,
      direction: is_caller ? 'initiator' : 'recipient',
      state: is_answered ? 'confirmed' : 'early',
    })
  return found
}

/** What one phone is shown of a state. */
interface Shown<State> {
  /** False if the phone would see no difference. */
  update(state: State): boolean
  body: () => ReturnType<typeof messageSummary>
}

function voicemailState(entity: string): Shown<VoicemailCounts> {
  let counts: VoicemailCounts = { new: 0, old: 0 }
  return {
    update(next) {
      const isNew = next.new !== counts.new || next.old !== counts.old
      counts = next
      return isNew
    },
    body: () => messageSummary(entity, counts),
  }
}

function dialogState(entity: string): Shown<EmployeeDialog[]> {
  let current: EmployeeDialog[] = []
  let sent: EmployeeDialog[] = []
  let version = 0
  return {
    update(next) {
      const isNew = JSON.stringify(next) !== JSON.stringify(current)
      current = next
      return isNew
    },
    body() {
      const dialogs = withEnded(sent, current)
      sent = current
      return dialogInfo(entity, version++, dialogs)
    },
  }
}
