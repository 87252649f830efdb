import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'

import { buildApi } from './api/app.ts'
import { type Config, wrongSetting } from './config.ts'
import { localUrl } from './local-url.ts'
import { messageKeys } from './message-keys.ts'
import { apiKeyPages, createApiKeyAuthenticator } from './modules/api-keys/index.ts'
import { callJobs, callRoutes } from './modules/calls/index.ts'
import { companyRoutes } from './modules/company/index.ts'
import { contactRoutes } from './modules/contacts/index.ts'
import { employeeJobs, employeeRoutes } from './modules/employees/index.ts'
import { createFileLinks, fileJobs, type FileLinks } from './modules/files/index.ts'
import { inboxRoutes } from './modules/inbox/index.ts'
import {
  createCallbackReceiver,
  messageJobs,
  messageRoutes,
  type TextingParts,
} from './modules/messages/index.ts'
import { numberJobs, numberRoutes } from './modules/numbers/index.ts'
import {
  createAccessTokenAuthenticator,
  createClientFinder,
  type ClientFinder,
  issuerOf,
  oauthJobs,
  oauthPages,
} from './modules/oauth/index.ts'
import { createSignIn, type SignIn, signInJobs } from './modules/sign-in/index.ts'
import { snippetRoutes } from './modules/snippets/index.ts'
import { voicemailRoutes } from './modules/voicemails/index.ts'
import { createWebhookDelivery, webhookRoutes } from './modules/webhooks/index.ts'
import { type Clock, type Pause, systemClock, systemPause } from './platform/clock.ts'
import { createVault, type Vault } from './platform/crypto.ts'
import type { Database } from './platform/db/database.ts'
import { OperatorError } from './platform/errors.ts'
import type { Page } from './platform/http/page.ts'
import type { Route } from './platform/http/route.ts'
import { startWorker } from './platform/jobs/worker.ts'
import { createKeyRing } from './platform/key-ring.ts'
import type { Log } from './platform/log.ts'
import { openPubSub } from './platform/pubsub.ts'
import { createSignedLinks } from './platform/signed-links.ts'
import { folderMailer } from './providers/email/folder.ts'
import type { Mailer } from './providers/email/port.ts'
import { smtpMailer } from './providers/email/smtp.ts'
import { localStorage } from './providers/storage/local.ts'
import type { Storage } from './providers/storage/port.ts'
import { s3Storage } from './providers/storage/s3.ts'
import { installationSecret } from './secret.ts'
import { openSms, type Sms } from './sms.ts'
import { createEmbeddedSpeaker } from './speech/embedded/speaker.ts'
import type { Speaker } from './speech/port.ts'
import { openTranscription } from './transcription.ts'
import { version } from './version.ts'

/** A reader who has stopped reading must not keep a stopping process alive. */
const LIMITS = { drainMs: 30_000 }

export interface Parts {
  config: Config
  db: Database
  log: Log
  clock?: Clock
  pause?: Pause
}

interface Running {
  /** Finishes what is under way; may be called twice. */
  stop(): Promise<void>
}

/** What both the API and the background work use. */
interface Shared extends Required<Parts> {
  secret: string
  storage: Storage
  speaker: Speaker
  /** What texts are sealed with. */
  texts: Vault
  sms: Sms
}

async function share({ clock = systemClock, pause = systemPause, ...parts }: Parts): Promise<Shared> {
  const { config, log } = parts
  const secret = await installationSecret(config, log)
  const storage = config.s3 ? s3Storage(config.s3, clock) : localStorage(join(config.dataDir, 'files'))
  const speaker = createEmbeddedSpeaker({ clock, log })
  const texts = createKeyRing(await messageKeys(config, log))
  const sms = openSms({ config, secret, clock, log })
  return { ...parts, clock, pause, secret, storage, speaker, texts, sms }
}

/** Where this installation is reached. */
export interface Addresses {
  /** By people, and by providers of texts. */
  public: () => string
  /** From this machine. */
  local: () => string
}

/** What sends texts. The simulator is inside of this process, so it calls back by the shortest way. */
function wireTexting(
  { config, db, clock, texts, sms }: Omit<Shared, 'log' | 'pause'>,
  addresses: Addresses,
): TextingParts {
  const callbackBase = sms.sender.name === 'simulator' ? addresses.local : addresses.public
  return { db, clock, texts, sms: sms.sender, answerMs: config.sms.answerMs, callbackBase }
}

/** Every route of /api/v1. */
export function declareRoutes(
  shared: Omit<Shared, 'log' | 'pause'>,
  links: FileLinks,
  addresses: Addresses,
): Route[] {
  const { config, db, clock, secret, storage, speaker, texts } = shared
  const rules = { allowInsecure: config.webhooksAllowInsecure }
  return [
    ...companyRoutes({ db }),
    ...contactRoutes({ db }),
    ...employeeRoutes({ db, clock }),
    ...numberRoutes({ db, clock, speaker, storage, links }),
    ...callRoutes({ db, links }),
    ...voicemailRoutes({ db, clock, links }),
    ...snippetRoutes({ db }),
    ...inboxRoutes({ db, links, texts, secret }),
    ...messageRoutes(wireTexting(shared, addresses)),
    ...webhookRoutes({ db, clock, vault: createVault(secret), rules }),
  ]
}

/** What people see in a browser. */
function declarePages(
  { db, clock }: Shared,
  { signIn, issuer, clients }: { signIn: SignIn; issuer: Issuer; clients: ClientFinder },
): Page[] {
  return [
    ...signIn.pages,
    ...apiKeyPages({ db, clock, signedIn: signIn.signedIn }),
    ...oauthPages({ db, clock, signIn, issuer, clients }),
  ]
}

type Issuer = (host: string | undefined) => string

/** Serves HTTP. */
export async function startApi(parts: Parts): Promise<Running & { url: string; routes: Route[] }> {
  const shared = await share(parts)
  const { config, db, log, clock, storage, texts, sms } = shared
  const pubsub = openPubSub(db.address)
  const listening = { sql: db.sql, pubsub, clock }
  const credentials = {
    apiKeys: await createApiKeyAuthenticator(listening),
    accessTokens: await createAccessTokenAuthenticator(listening),
  }
  const signed = createSignedLinks({ secret: shared.secret, clock })
  let url = ''
  const addresses = { public: () => config.baseUrl ?? url, local: () => url }
  const links = createFileLinks({ signed, baseUrl: addresses.public })
  const routes = declareRoutes(shared, links, addresses)
  const { metricsToken, baseUrl } = config
  const secure = baseUrl?.startsWith('https:') ?? false
  const signIn = createSignIn({ db, clock, secret: shared.secret, secure })
  const issuer = (host: string | undefined) => issuerOf({ baseUrl, url }, host)
  const clients = createClientFinder({ db, clock, allowInsecure: config.webhooksAllowInsecure })
  const app = await buildApi({
    db,
    credentials,
    pubsub,
    origins: { baseUrl: config.baseUrl, allowed: config.allowedOrigins },
    routes,
    pages: declarePages(shared, { signIn, issuer, clients }),
    receive: createCallbackReceiver({ db, clock, texts, providers: sms.providers }),
    baseUrl,
    publicUrl: addresses.public,
    trustedProxies: config.trustedProxies,
    issuer,
    links: signed,
    storage,
    log,
    clock,
    pause: shared.pause,
    version,
    metricsToken,
  })
  const stop = once(async () => {
    const callOff = clock.after(LIMITS.drainMs, () => app.server.closeAllConnections())
    const letGo = closeConnectionsAsAnswered(app.server)
    await app.close()
    letGo()
    callOff()
    await clients.close()
    await shared.speaker.close()
    await sms.close()
    await pubsub.close()
  })
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await stop()
    throw whyNotListening(error as NodeJS.ErrnoException, config)
  }
  url = localUrl(app.server.address() as AddressInfo)
  return { url, routes, stop }
}

interface JobParts extends Parts {
  /** What links in letters and events begin with. */
  baseUrl: string
  /** Where the API is reached from this machine. */
  apiUrl: string
}

/** What background work there is. */
export async function wireJobs({ baseUrl, apiUrl, ...parts }: JobParts) {
  const shared = await share(parts)
  const { config, db, log, clock, secret, storage, speaker, texts, sms } = shared
  const mailer = openMailer(config, log, clock)
  const handlers = [
    ...employeeJobs({ db, mailer, clock, baseUrl }),
    ...callJobs({ db }),
    ...numberJobs({ db, speaker, storage, log }),
    ...fileJobs({ storage }),
    ...oauthJobs({ db, clock }),
    ...signInJobs({ db, mailer, clock, baseUrl }),
    ...messageJobs(wireTexting(shared, { public: () => baseUrl, local: () => apiUrl })),
  ]
  const webhooks = createWebhookDelivery({
    db,
    clock,
    log,
    vault: createVault(secret),
    texts,
    links: createFileLinks({ signed: createSignedLinks({ secret, clock }), baseUrl: () => baseUrl }),
    allowInsecure: config.webhooksAllowInsecure,
    chance: Math.random,
  })
  const transcripts = openTranscription(shared)
  const close = async () => {
    await webhooks.stop()
    await transcripts?.stop()
    mailer.close()
    await speaker.close()
    await sms.close()
  }
  return { handlers, webhooks, transcripts, close }
}

/** Does background work. */
export async function startJobs(parts: JobParts): Promise<Running> {
  const { handlers, webhooks, transcripts, close } = await wireJobs(parts)
  const pubsub = openPubSub(parts.db.address)
  await webhooks.start(pubsub)
  await transcripts?.start(pubsub)
  const worker = await startWorker({ address: parts.db.address, handlers, log: parts.log })
  const stop = once(async () => {
    await worker.stop()
    await close()
    await pubsub.close()
  })
  return { stop }
}

/** A connection kept alive after its last answer would keep a stopping process alive too. */
function closeConnectionsAsAnswered(server: Server): () => void {
  const close = (message: unknown) => {
    const answered = message as { server: Server; socket: Socket }
    if (answered.server === server) answered.socket.destroySoon()
  }
  subscribe('http.server.response.finish', close)
  return () => unsubscribe('http.server.response.finish', close)
}

function whyNotListening(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${port} of ${host} is in use by another program: set PORT to a free one, or to 0 for any.`,
      )
    case 'EACCES':
      return new OperatorError(`Port ${port} is reserved for root: set PORT to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return wrongSetting('HOST')
    default:
      return error
  }
}

function openMailer(config: Config, log: Log, clock: Clock): Mailer {
  const from = config.mailFrom
  if (config.smtpUrl) return smtpMailer({ url: config.smtpUrl, from })
  return folderMailer({ dir: join(config.dataDir, 'mail'), from, clock, log })
}

function once(run: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= run())
}
