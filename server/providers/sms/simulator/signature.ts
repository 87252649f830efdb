import { createHmac, hkdfSync } from 'node:crypto'

import type { Clock } from '../../../platform/clock.ts'
import { sameBytes } from '../../../platform/crypto/crypto.ts'
import type { SignedRequest } from '../port.ts'
import { header, isRecent } from '../signed-request.ts'

const TIMESTAMP = 'x-simulator-timestamp'
const SIGNATURE = 'x-simulator-signature'

/** Signs the callbacks of the simulated provider; every process of the installation has the key. */
export function createSimulatorSigner({ secret, clock }: { secret: string; clock: Clock }) {
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `bellhop sms simulator ${use}`, 32))
  const key = derive('callbacks')
  const sign = (timestamp: string, body: Buffer | string) =>
    createHmac('sha256', key).update(`${timestamp}.`).update(body).digest()
  return {
    /** The token of our own requests to it: other programs on this machine cannot use it. */
    token: derive('requests').toString('base64url'),
    headersFor(body: string): Record<string, string> {
      const timestamp = String(Math.floor(clock.now().getTime() / 1000))
      return {
        'content-type': 'application/json',
        [TIMESTAMP]: timestamp,
        [SIGNATURE]: sign(timestamp, body).toString('hex'),
      }
    },
    isSigned(request: SignedRequest): boolean {
      const timestamp = header(request, TIMESTAMP)
      const signature = Buffer.from(header(request, SIGNATURE), 'hex')
      return isRecent(timestamp, clock) && sameBytes(signature, sign(timestamp, request.body))
    },
  }
}

export type SimulatorSigner = ReturnType<typeof createSimulatorSigner>
