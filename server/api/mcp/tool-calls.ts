import type { FastifyRequest } from 'fastify'

import { randomToken, sameBytes, sha256 } from '../../platform/crypto/crypto.ts'

const HEADER = 'x-bellhop-tool-call'

/** Distinguishes requests of our own tools from external ones. The mark is a secret of this process and never leaves it. */
export function createToolCalls() {
  const mark = randomToken()
  return {
    /** Marks a request as a tool's. */
    headers: { [HEADER]: mark },
    isOne({ headers }: FastifyRequest): boolean {
      const sent = headers[HEADER]
      return typeof sent === 'string' && sameBytes(sha256(sent), sha256(mark))
    },
  }
}

export type ToolCalls = ReturnType<typeof createToolCalls>
