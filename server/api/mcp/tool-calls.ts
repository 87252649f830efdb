import type { FastifyRequest } from 'fastify'

import { randomToken, sameBytes, sha256 } from '../../platform/crypto/crypto.ts'

const HEADER = 'x-bellhop-tool-call'

/** Distinguishes requests of our own tools from external ones. */
export interface ToolCalls {
  /** Marks a request as a tool's. */
  headers: Record<string, string>
  isOne(request: FastifyRequest): boolean
}

/** The mark is a secret of this process and never leaves it. */
export function createToolCalls(): ToolCalls {
  const mark = randomToken()
  return {
    headers: { [HEADER]: mark },
    isOne({ headers }) {
      const sent = headers[HEADER]
      return typeof sent === 'string' && sameBytes(sha256(sent), sha256(mark))
    },
  }
}
