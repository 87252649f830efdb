import type { Config } from '../config.ts'
import { apiKeyPages } from '../modules/api-keys/index.ts'
import { callRoutes, type RunEdgeCommand } from '../modules/calls/index.ts'
import { companyRoutes } from '../modules/company/index.ts'
import { contactRoutes } from '../modules/contacts/index.ts'
import { contextRoutes } from '../modules/context/index.ts'
import { devicePages, deviceRoutes, provisioningPages } from '../modules/devices/index.ts'
import { employeeRoutes } from '../modules/employees/index.ts'
import { favouriteRoutes } from '../modules/favourites/index.ts'
import type { FileLinks } from '../modules/files/index.ts'
import { inboxRoutes } from '../modules/inbox/index.ts'
import { messageRoutes } from '../modules/messages/index.ts'
import { type CallerSound, numberRoutes } from '../modules/numbers/index.ts'
import { type ClientFinder, connectedAppPages, oauthPages } from '../modules/oauth/index.ts'
import { type CheckInstallation, onboardingRoutes } from '../modules/onboarding/index.ts'
import { pushRoutes } from '../modules/push/index.ts'
import { sessionRoutes, type SignIn } from '../modules/sign-in/index.ts'
import { type SimulatedCustomers, simulatorRoutes } from '../modules/simulator/index.ts'
import { snippetRoutes } from '../modules/snippets/index.ts'
import { type TrunkParts, trunkRoutes } from '../modules/trunks/index.ts'
import { voicemailRoutes } from '../modules/voicemails/index.ts'
import { createWaveforms } from '../modules/waveforms/index.ts'
import { webhookRoutes } from '../modules/webhooks/index.ts'
import { createVault } from '../platform/crypto/crypto.ts'
import { createVapidKey } from '../platform/crypto/web-push/vapid.ts'
import type { Page } from '../platform/http/page.ts'
import type { Route } from '../platform/http/route.ts'
import { phoneServer, sipDomain } from '../wiring/sip-domain.ts'
import { type Addresses, type SharedParts, wireTexting } from './shared.ts'

/** Every route of /api/v1. */
export function declareRoutes(
  shared: Omit<SharedParts, 'pause' | 'labelOf' | 'presence'>,
  {
    links,
    addresses,
    askEdge,
    askTrunks,
    people = {},
  }: {
    links: FileLinks
    addresses: Addresses
    askEdge: RunEdgeCommand
    askTrunks: TrunkParts['askTrunks']
    people?: SimulatedCustomers
  },
): Route[] {
  const { config, db, log, clock, secret, storage, speaker, embedder, texts } = shared
  const rules = { allowInsecure: config.webhooksAllowInsecure }
  const vault = createVault(secret)
  const waveforms = createWaveforms({ db, storage })
  return [
    ...sessionRoutes({ db }),
    ...companyRoutes({ db }),
    ...contactRoutes({ db, secret }),
    ...employeeRoutes({ db, clock }),
    ...numberRoutes({ db, clock, speaker, storage, links, callerSound }),
    ...callRoutes({ db, links, waveforms, embedder, clock, log, askEdge }),
    ...deviceRoutes({ ...devicesOf(shared), clock, websocketUrl: () => websocketUrl(config, addresses) }),
    ...simulatorRoutes({ db, people }),
    ...onboardingRoutes({
      db,
      clock,
      people,
      checkInstallation: firstCallChecks(shared, addresses, askTrunks),
    }),
    ...voicemailRoutes({ db, clock, links, waveforms }),
    ...snippetRoutes({ db }),
    ...inboxRoutes({ db, clock, links, texts, secret }),
    ...favouriteRoutes({ db }),
    ...pushRoutes({ db, vault, rules, vapid: createVapidKey(secret) }),
    ...messageRoutes(wireTexting(shared, addresses)),
    ...trunkRoutes({ sql: db.sql, askTrunks }),
    ...webhookRoutes({ db, clock, vault, rules }),
    ...contextRoutes({ ...shared, vault, rules }),
  ]
}

/** Loaded when somebody first walks through a call. */
async function callerSound(name: CallerSound): Promise<Buffer> {
  const { CALLER_SOUNDS } = await import('./caller-sounds.ts')
  return CALLER_SOUNDS[name]()
}

/** Loaded when somebody asks for them. */
const firstCallChecks =
  (
    { config, db, secret }: Pick<SharedParts, 'config' | 'db' | 'secret'>,
    addresses: Addresses,
    askTrunks: TrunkParts['askTrunks'],
  ): CheckInstallation =>
  async (checks) => {
    const { checkFirstCall } = await import('../wiring/doctor/first-call.ts')
    const port = Number(new URL(addresses.local()).port)
    return checkFirstCall({ config: { ...config, port }, secret, sql: db.sql, askTrunks })(checks)
  }

/** What creating devices needs. */
const devicesOf = ({ config, db, secret }: Pick<SharedParts, 'config' | 'db' | 'secret'>) => ({
  db,
  vault: createVault(secret),
  domain: () => sipDomain(db.sql, config),
})

/** Where softphones connect: at the API, unless the edges are elsewhere. */
const websocketUrl = ({ sip }: Config, addresses: Addresses) =>
  sip.websocketUrl ?? `${addresses.public().replace(/^http/, 'ws')}/sip`

/** All pages for browsers. */
export function declarePages(
  shared: SharedParts,
  { signIn, issuer, clients }: { signIn: SignIn; issuer: Issuer; clients: ClientFinder },
): Page[] {
  const { db, clock } = shared
  return [
    ...signIn.pages,
    ...devicePages({ ...devicesOf(shared), clock, signedIn: signIn.signedIn, baseUrl: issuer }),
    ...provisioningPages({ ...devicesOf(shared), clock, server: () => phoneServer(shared) }),
    ...apiKeyPages({ db, clock, signedIn: signIn.signedIn }),
    ...oauthPages({ db, clock, signIn, issuer, clients }),
    ...connectedAppPages({ db, clock, signedIn: signIn.signedIn }),
  ]
}

type Issuer = (host: string | undefined) => string
