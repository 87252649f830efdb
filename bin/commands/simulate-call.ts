import type { Config } from '../../server/config.ts'
import type { Digit } from '../../server/media/port.ts'
import { type EdgeAddress, runningEdge } from '../../server/modules/edges/index.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import type { Log } from '../../server/platform/log.ts'
import type { CallReport } from '../../server/simulator/caller.ts'
import { openInstallationDatabase } from '../../server/wiring/database.ts'
import { installationSecret } from '../../server/wiring/secret.ts'
import { type CommandResult, quietLog } from '../operator-command.ts'

export interface CallOptions {
  from: string
  to: string
  press: string[]
  say?: string
  /** In milliseconds. */
  wait: number
}

/** Places a real call to the running service over SIP, with real audio. */
export async function simulateCall(config: Config, options: CallOptions): Promise<CommandResult> {
  const log = quietLog()
  const edge = await findEdge(config, log)
  const report = await call(config, log, edge, options)
  const place = `sip:${edge.sip_host}:${edge.sip_port}`
  if (report.outcome === 'unreachable' && report.status === undefined)
    throw new OperatorError(`Nothing responds at ${place}: start Bellhop first.`)
  if (report.status === 401)
    throw new OperatorError(
      `The service at ${place} does not know the simulated carrier: run this with its BELLHOP_SECRET and ` +
        'BELLHOP_DATA_DIR, and start it with SIP_SIMULATOR=on.',
    )
  const { outcome, answered, heardSeconds } = report
  return {
    json: { outcome, heard_seconds: heardSeconds, answered },
    text: sentenceOf(options, report),
  }
}

function sentenceOf({ to }: CallOptions, { outcome, answered, heardSeconds }: CallReport): string {
  const heard = `The caller heard ${heardSeconds} s of audio.`
  return answered ? `${to} answered. ${heard}` : `${to} did not answer (${outcome}). ${heard}`
}

/** Only the database knows its port. */
async function findEdge(config: Config, log: Log): Promise<EdgeAddress> {
  const store = await openInstallationDatabase(config, log)
  try {
    const edge = await runningEdge(store.db.sql)
    if (!edge) throw new OperatorError('No edge is running: start Bellhop first, with the same settings.')
    return edge
  } finally {
    await store.close()
  }
}

async function call(
  config: Config,
  log: Log,
  { sip_host: host, sip_port: port }: EdgeAddress,
  { from, to, press, say, wait }: CallOptions,
): Promise<CallReport> {
  // Imported only here: the other commands start faster without it.
  const { createEmbeddedSynthesiser } = await import('../../server/speech/embedded/synthesiser.ts')
  const { openSimulatedPhone } = await import('../../server/simulator/simulated-phone.ts')
  const clock = systemClock
  const secret = await installationSecret(config, log)
  const speaker = createEmbeddedSynthesiser({ clock, log })
  const telephone = openSimulatedPhone({
    clock,
    log,
    secret,
    law: config.media.law,
    edge: { host, port },
  })
  try {
    // Synthesised before the call, so that the caller need not wait for the engine.
    const spoken = say === undefined ? undefined : await speaker.speak({ text: say, language: 'en' })
    return await telephone.call({ from, to, press: press as Digit[], say: spoken, waitMs: wait })
  } finally {
    await telephone.close()
    await speaker.close()
  }
}
