import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { MediaPort } from '../../media/port.ts'
import { devicePasswordOf, findDevice, rememberEncryptionRefused } from '../../modules/devices/index.ts'
import { announceDraining, newEdgeId, registerEdge } from '../../modules/edges/index.ts'
import { createNumberCache, createPromptCache } from '../../modules/numbers/index.ts'
import type { Presence } from '../../platform/async/presence.ts'
import { inBackground } from '../../platform/background.ts'
import { type Clock, withTimeout } from '../../platform/clock.ts'
import { createVault, derivedSecret } from '../../platform/crypto/crypto.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Storage } from '../../providers/storage/port.ts'
import { type IncomingCall, isSipUri, MessageTrace, parseUri, UserAgent } from '../../sip/index.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { answerQuestions } from '../monitoring/answer-questions.ts'
import { gaugeEdge, measureMedia } from '../monitoring/gauges.ts'
import { createEdgeMetrics, type EdgeMetrics } from '../monitoring/metrics.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import { reportSipRefusals } from '../monitoring/sip-refusals.ts'
import type { CallControl, CreateCallControl, EdgePort } from '../port.ts'
import { routesToEmployee, routesToInternalCall } from '../ring/routes-to-phone.ts'
import { startRecordingRecovery } from '../sound/recover-recordings.ts'
import { openSpool } from '../sound/spool.ts'
import { createSubscriptions } from '../subscriptions/subscriptions.ts'
import { logTrunkChange } from '../trunks/log-trunk-change.ts'
import { type CarrierTrunk, chooseTrunk } from '../trunks/trunks.ts'
import { startCommandListener } from './commands.ts'
import { forgetDeletedDevices } from './deleted-devices.ts'
import { hangUpDeletedEmployees } from './deleted-employees.ts'
import { startHeartbeat } from './heartbeat.ts'
import { bindSipListeners, internalHost, type SipListenOptions } from './listeners.ts'
import { isOfPeerEdge, isPassedOn, PEER_EDGES, peerCredentials, peerTrunk } from './peer-edges.ts'
import { deregisterEdge, startReaper } from './reaper.ts'
import { EdgeRegistrations } from './registrations.ts'
import { createRelay } from './relay.ts'

/** The realm of digest passwords. It is part of their hashes, so it must never change. */
const REALM = 'bellhop'

export interface EdgeOptions extends Dependencies<'db' | 'log' | 'pubsub' | 'tracer'> {
  /** For call control. */
  clock: Clock
  /** For signalling, media and heartbeats, whose times other processes measure too. */
  realTime: Clock
  utilisation: EdgePort['utilisation']
  presence: Presence
  secret: string
  storage: Storage
  speaker: EdgePort['speaker']
  media: MediaPort
  /** Whether somebody speaks in a recording. */
  hasSpeech(file: string): Promise<boolean>
  /** Unfinished recordings of all edges on this machine. */
  spoolDir: string
  sip: SipListenOptions
  /** Where phones reach an edge that listens at this port. */
  domainAt(port: number): string
  carriers: CarrierTrunk[]
  outbound: { countries: string[]; types: string[]; perMinute: number }
  callsMax: number
  createControl: CreateCallControl
}

export interface Edge {
  id: string
  /** The port for phones and carriers. */
  port: number
  tlsPort: number | undefined
  metrics: EdgeMetrics['registry']
  /** Accepts an HTTP upgrade to a WebSocket at `/sip`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  isDraining(): boolean
  /** Accepts no new calls; resolves when the live ones have ended, or the time is up. */
  drain(limitMs: number): Promise<void>
  /** Hangs up the remaining calls and closes everything. */
  stop(): Promise<void>
}

/** Opens an edge: registers phones, connects to carriers, and passes every call to call control. */
export async function openEdge(options: EdgeOptions): Promise<Edge> {
  const { db, log, realTime: clock, secret, pubsub, media, sip, carriers } = options
  const spool = openSpool(options.spoolDir)
  for (const edgeId of await spool.abandoned())
    if (await deregisterEdge(db, edgeId))
      log.info({ edge: edgeId }, 'a dead edge of this machine was cleaned up')
  const metrics = createEdgeMetrics()
  const trace = new MessageTrace(clock)
  let isDraining = false
  let control: CallControl | undefined
  const id = await newEdgeId(db.sql)
  const registrations = new EdgeRegistrations({ db, edgeId: id, clock, log })
  const vault = createVault(secret)
  const subscriptions = createSubscriptions({ db, pubsub, clock, log })
  const bound = await bindSipListeners(sip, () => {
    const ua: UserAgent = new UserAgent({
      clock,
      log,
      realm: REALM,
      secret: derivedSecret(secret, 'telephony nonces'),
      accounts: {
        async find(username) {
          const password = await devicePasswordOf(db.sql, vault, username)
          return password === undefined ? undefined : { username, password }
        },
      },
      bindings: registrations,
      trunks: [peerTrunk(secret), ...carriers],
      onInvite: receive,
      events: subscriptions.events,
      onTrunk: (change) => logTrunkChange(log, change),
      onRefusal: reportSipRefusals({ clock, log }, metrics),
      trace,
      ...(sip.tls && { tls: sip.tls }),
      advertised: sip.advertised,
      proxies: sip.proxies,
      takesCalls: () => control !== undefined && !isDraining,
    })
    return ua
  })
  const { ua, port, tlsPort } = bound
  const trunkStates = () => ua.trunkStates().filter(({ name }) => name !== PEER_EDGES)
  gaugeEdge(metrics, {
    db,
    edgeId: id,
    media,
    trunkStates,
    phones: () => registrations.count,
    subscriptions: () => ua.subscriptions,
    blockedSources: () => ua.blockedSources,
    certificate: sip.tls?.cert,
  })
  const stopMeasuring = measureMedia(metrics, media)
  function encryptionRefused(deviceId: string, status: number): void {
    // As `bellhop device list` shows it.
    log.warn({ device: encodeId('dev', deviceId), status }, 'a phone refused encrypted media')
    inBackground(log, 'remember a phone that refused encryption', rememberEncryptionRefused(db.sql, deviceId))
  }
  const credentials = peerCredentials(secret)
  const relay = createRelay({
    db,
    ua,
    media,
    log,
    metrics,
    trace,
    realTime: clock,
    encryptionRefused,
    peerCredentials: credentials,
    joinCalls: (employeeId, own, asked) => control?.joinCalls(employeeId, own, asked),
    releaseCoworker: (internalCallId, employeeId) => control?.releaseCoworker(internalCallId, employeeId),
    findLine: (name) => registrations.findLine(name),
    findDevice: (username) => findDevice(db.sql, username),
  })
  const address = { sip_host: internalHost(sip.hosts[0]!), sip_port: port }
  await registerEdge(db.sql, id, address)
  const spoolDir = await spool.make(id)
  const { storage, hasSpeech } = options
  const rescue = startRecordingRecovery({ db, clock, log, storage, spool, edgeId: id, hasSpeech })
  const edgePort: EdgePort = {
    edgeId: id,
    ua,
    media,
    metrics,
    trace,
    tracer: options.tracer,
    domain: readDomain(options.domainAt(port)),
    db,
    clock: options.clock,
    realTime: clock,
    utilisation: options.utilisation,
    presence: options.presence,
    log,
    storage,
    numbers: createNumberCache(),
    prompts: createPromptCache(storage),
    speaker: options.speaker,
    hasSpeech,
    spoolDir,
    storeLater: rescue.later,
    routesToEmployee: (companyId, employeeId) =>
      routesToEmployee(db.sql, { edgeId: id, credentials }, companyId, employeeId),
    routesToInternalCall: (internalCallId, edgeId) =>
      routesToInternalCall(db.sql, credentials, internalCallId, edgeId),
    relayedCall: relay.callWith,
    passOn: relay.passOn,
    keepRelayedDuring: relay.keepDuring,
    encryptionRefused,
    ownerOf: (username) => findDevice(db.sql, username),
    trunkFor: (e164) => chooseTrunk(carriers, e164),
    trunks: carriers,
    allowedCountries: options.outbound.countries,
    allowedTypes: options.outbound.types,
    outboundPerMinute: options.outbound.perMinute,
    callsMax: options.callsMax,
  }
  control = options.createControl(edgePort)
  const calls = control
  const commands = await startCommandListener({
    db,
    pubsub,
    log,
    edgeId: id,
    control,
    answer: answerQuestions({ trace, trunkStates }),
  })
  await forgetDeletedDevices({ db, pubsub, log, ua, registrations })
  await subscriptions.listen()
  await hangUpDeletedEmployees({ db, pubsub, log, control })

  function receive(call: IncomingCall): void {
    // A draining edge still relays: its phones are registered here.
    if (isOfPeerEdge(call) && !(control && isPassedOn(call))) return relay.take(call)
    if (!control || (isDraining && !isOfPeerEdge(call)))
      return refuseCall({ log, metrics }, call, {
        status: 503,
        why: isDraining ? 'this edge is stopping' : 'this edge is starting',
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
      })
    control.handle(call)
  }

  const stopHeartbeat = startHeartbeat({
    db,
    clock,
    log,
    edgeId: id,
    address,
    async onAlive({ has_commands }) {
      await registrations.catchUp()
      if (has_commands) await commands.check()
    },
    async onReturned() {
      await registrations.restore()
      calls.resync()
    },
  })
  const stopReaper = startReaper({ db, clock, log })

  async function stop(): Promise<void> {
    isDraining = true
    const lastChecks = [stopReaper(), rescue.stop()]
    await calls.stop()
    relay.stop()
    await leave(
      'stopping without the results of all commands',
      Promise.all([...lastChecks, commands.close()]),
    )
    await leave('stopping with SIP connections still open', ua.close())
    stopMeasuring()
    const deregistered = stopHeartbeat().then(() => deregisterEdge(db, id))
    // If that fails, the spool directory stays, and the next edge finds it.
    if (await leave('could not deregister this edge; another process will', deregistered))
      await spool.leave(id)
  }

  /** Relays last: until the last call of its own has ended, others may call its phones through this edge. */
  async function withoutCalls(): Promise<void> {
    await calls.drained()
    await relay.drained()
    if (calls.liveCalls() > 0) await withoutCalls()
  }

  /** An unavailable database, a command that never ends or a peer that does not read must not prevent the stop. */
  async function leave(otherwise: string, last: Promise<unknown>): Promise<boolean> {
    try {
      if ((await withTimeout(clock, TELEPHONY_LIMITS.leaveMs, last)).ok) return true
      log.warn({ afterMs: TELEPHONY_LIMITS.leaveMs }, otherwise)
    } catch (err) {
      log.warn({ err }, otherwise)
    }
    return false
  }

  return {
    id,
    port,
    tlsPort,
    metrics: metrics.registry,
    upgrade: ua.upgrade,
    isDraining: () => isDraining,
    async drain(limitMs) {
      isDraining = true
      const announced = leave('could not store that this edge is draining', announceDraining(db.sql, id))
      await withTimeout(clock, limitMs, Promise.all([announced, withoutCalls()]))
    },
    stop,
  }
}

const RETRY_AFTER_SECONDS = '5'

function readDomain(domain: string): EdgePort['domain'] {
  const uri = parseUri(`sip:${domain}`)
  if (!uri || !isSipUri(uri)) throw new Error(`not a domain of SIP: ${domain}`)
  return { host: uri.host, ...(uri.port !== undefined && { port: uri.port }) }
}
