import type { Config } from '../config.ts'
import { runningEdge } from '../modules/edges/index.ts'
import type { SimulatedCustomers } from '../modules/simulator/index.ts'
import { systemClock as clock } from '../platform/clock.ts'
import type { Dependencies } from '../platform/dependencies.ts'
import { ROLE_LIMITS } from './limits.ts'
import { once } from './shared.ts'

interface PeopleParts extends Dependencies<'db' | 'log'> {
  config: Config
  secret: string
  /** The base URL of this process on this machine. */
  localUrl: () => string
}

/** Simulated customers who call and text the companies of this installation; only if it uses the simulator. */
export function openSimulatedCustomers(parts: PeopleParts): SimulatedCustomers & { close(): Promise<void> } {
  const { config, log } = parts
  const callers = new Set<() => Promise<void>>()
  let calls = 0

  function call(plan: { from: string; to: string }): boolean {
    if (calls >= ROLE_LIMITS.simulatedCallsMax) return false
    calls++
    bringCall(parts, plan, callers)
      .catch((err: unknown) => log.warn({ err }, 'a simulated call could not be placed'))
      .finally(() => calls--)
    return true
  }

  async function text(received: { from: string; to: string; text: string }): Promise<void> {
    const { postIncomingText } = await import('../providers/sms/simulator/incoming-text.ts')
    await postIncomingText({ url: parts.localUrl(), secret: parts.secret, clock }, received)
  }

  return {
    ...(config.sip.simulator && { call }),
    ...(config.sms.provider === 'simulator' && { text }),
    async close() {
      for (const close of callers) await close()
    },
  }
}

async function bringCall(
  { config, db, log, secret }: PeopleParts,
  plan: { from: string; to: string },
  callers: Set<() => Promise<void>>,
): Promise<void> {
  const edge = await runningEdge(db.sql)
  if (!edge) return log.warn('a simulated call was not placed because no edge is running')
  // Imported only here: a process with the API alone needs no user agent in memory.
  const { openSimulatedPhone } = await import('../simulator/simulated-phone.ts')
  const { readSound } = await import('../wiring/story/sounds.ts')
  const sipAddress = { host: edge.sip_host, port: edge.sip_port }
  const telephone = openSimulatedPhone({ clock, log, secret, law: config.media.law, edge: sipAddress })
  const close = once(async () => {
    callers.delete(close)
    await telephone.close()
  })
  callers.add(close)
  try {
    // A file: a voice that is synthesised now would make the machine busy when the phone should ring.
    const { mono } = await readSound('ready')
    await telephone.call({ ...plan, press: [], say: mono, waitMs: ROLE_LIMITS.simulatedCallMs })
  } finally {
    await close()
  }
}
