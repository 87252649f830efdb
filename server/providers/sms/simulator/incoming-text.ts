import { randomUUID } from 'node:crypto'

import type { Clock } from '../../../platform/clock.ts'
import { createSmsAgent } from '../post-to-provider.ts'
import { postCallback } from './provider-server.ts'
import { createSimulatorSigner } from './signature.ts'

interface Service {
  /** Base URL of the service. */
  url: string
  /** Secret of the installation. */
  secret: string
  clock: Clock
}

/** Simulates a text to a number of the service, which receives it as from a provider. Returns the response. */
export async function postIncomingText(
  { url, secret, clock }: Service,
  text: { from: string; to: string; text: string },
): Promise<{ id: string; outcome: number | 'unreachable' }> {
  const signer = createSimulatorSigner({ secret, clock })
  const agent = createSmsAgent()
  const id = `sim_${randomUUID()}`
  const received_at = clock.now().toISOString()
  try {
    const callback = { type: 'message.received', id, ...text, received_at } as const
    const outcome = await postCallback(
      { agent, signer, clock },
      `${url}/webhooks/simulator/messages`,
      callback,
    )
    return { id, outcome }
  } finally {
    await agent.destroy()
  }
}
