import { join } from 'node:path'

import type { Config } from '../config.ts'
import { callJobs, indexCallContext } from '../modules/calls/index.ts'
import { contextJobs } from '../modules/context/index.ts'
import { deviceJobs } from '../modules/devices/index.ts'
import { edgeJobs } from '../modules/edges/index.ts'
import { emailJobs } from '../modules/emails/index.ts'
import { employeeJobs } from '../modules/employees/index.ts'
import { createFileLinks, fileJobs } from '../modules/files/index.ts'
import { inboxJobs } from '../modules/inbox/index.ts'
import { messageJobs } from '../modules/messages/index.ts'
import { numberJobs } from '../modules/numbers/index.ts'
import { oauthJobs } from '../modules/oauth/index.ts'
import { createPushSender, pushJobs } from '../modules/push/index.ts'
import { signInJobs } from '../modules/sign-in/index.ts'
import { createWebhookDelivery } from '../modules/webhooks/index.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { createVault } from '../platform/crypto/crypto.ts'
import { createSignedLinks } from '../platform/crypto/signed-links.ts'
import { createVapidKey } from '../platform/crypto/web-push/vapid.ts'
import { openPubSub } from '../platform/db/pubsub.ts'
import { companyJobHandlers } from '../platform/jobs/company-jobs.ts'
import { releaseStaleLocksJob } from '../platform/jobs/stale-locks.ts'
import { tracedJobs } from '../platform/jobs/traced-jobs.ts'
import { startWorker } from '../platform/jobs/worker.ts'
import type { Log } from '../platform/log.ts'
import { folderMailer } from '../providers/email/folder.ts'
import type { Mailer } from '../providers/email/port.ts'
import { smtpMailer } from '../providers/email/smtp.ts'
import { startReaper } from '../telephony/edge/reaper.ts'
import { openTranscription } from '../wiring/transcription.ts'
import { once, openSharedParts, type RoleParts, type Running, wireTexting } from './shared.ts'

interface JobParts extends RoleParts {
  /** The base URL of links in e-mails and events. */
  baseUrl: string
  /** The API's URL on this machine. */
  apiUrl: string
  /** Sends webhooks from a separate thread, which uses the system clock. */
  webhookThread?: boolean
  /** An edge of the same process looks for dead edges. */
  besideEdge?: boolean
}

/** All background work. */
export async function wireJobs({ baseUrl, apiUrl, webhookThread = false, ...parts }: JobParts) {
  const shared = await openSharedParts(parts)
  const { config, db, log, clock, secret, storage, speaker, texts, sms } = shared
  const mailer = openMailer(config, log, clock)
  const vault = createVault(secret)
  const push = createPushSender({
    clock,
    vapid: createVapidKey(secret),
    contact: contactOf(config),
    allowInsecure: config.webhooksAllowInsecure,
  })
  const declared = [
    ...employeeJobs({ db, mailer, clock, baseUrl }),
    ...inboxJobs({ db }),
    ...callJobs({ db, embedder: shared.embedder }),
    ...numberJobs({ db, speaker, storage, log }),
    ...fileJobs({ storage }),
    ...emailJobs({ db, clock }),
    ...oauthJobs({ db, clock }),
    ...deviceJobs({ db }),
    ...edgeJobs({ db }),
    ...signInJobs({ db, mailer, clock, baseUrl }),
    ...messageJobs(wireTexting(shared, { public: () => baseUrl, local: () => apiUrl })),
    ...pushJobs({ db, log, vault, sender: push }),
    ...contextJobs({ ...shared, vault, saveCallContextWords: indexCallContext }),
  ]
  const { tracer } = shared
  const handlers = tracer ? tracedJobs(declared, tracer) : declared
  handlers.push(...companyJobHandlers(db.sql, handlers))
  handlers.push(releaseStaleLocksJob(db.sql, handlers))
  const webhooks = await createWebhookDelivery({
    db,
    clock,
    log,
    vault,
    texts,
    links: createFileLinks({ signed: createSignedLinks({ secret, clock }), baseUrl: () => baseUrl }),
    allowInsecure: config.webhooksAllowInsecure,
    chance: Math.random,
    ownThread: webhookThread,
    presence: shared.presence,
    tracer,
  })
  const transcripts = openTranscription(shared)
  const close = async () => {
    await webhooks.stop()
    await transcripts?.stop()
    mailer.close()
    await push.close()
    await speaker.close()
    await shared.embedder?.close()
    await sms.close()
    await shared.sources.close()
  }
  return {
    handlers,
    webhooks,
    transcripts,
    label: shared.labelOf('worker'),
    close,
  }
}

/** Runs background work. */
export async function startJobs({ besideEdge = false, ...parts }: JobParts): Promise<Running> {
  const { handlers, webhooks, transcripts, label, close } = await wireJobs({ ...parts, webhookThread: true })
  const pubsub = openPubSub(parts.db.address, parts.log, label)
  await webhooks.start(pubsub)
  await transcripts?.start(pubsub)
  const worker = await startWorker({ address: parts.db.address, handlers, log: parts.log })
  const stopReaper = besideEdge
    ? undefined
    : startReaper({ db: parts.db, clock: systemClock, log: parts.log })
  const stop = once(async () => {
    await stopReaper?.()
    await worker.stop()
    await close()
    await pubsub.close()
  })
  return { stop }
}

function openMailer(config: Config, log: Log, clock: Clock): Mailer {
  const from = config.mailFrom
  if (config.smtpUrl) return smtpMailer({ url: config.smtpUrl, from })
  return folderMailer({ dir: join(config.dataDir, 'mail'), from, clock, log })
}

/** Where push services complain: the dashboard, or whoever e-mails are from (RFC 8292 §2.1). */
function contactOf({ baseUrl, mailFrom }: Config): string {
  if (baseUrl?.startsWith('https:')) return baseUrl
  return `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`
}
