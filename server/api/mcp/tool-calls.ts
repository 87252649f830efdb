import type { FastifyRequest } from 'fastify'

import { randomToken, sameBytes, sha256 } from '../../platform/crypto/crypto.ts'

const HEADER = 'x-bellhop-tool-call'

/** Tells what a tool of ours asks of a route from what comes from outside. */
export interface ToolCalls {
  /** What marks a request as a tool's. */
  headers: Record<string, string>
  isOne(request: FastifyRequest): boolean
}

/** The mark is a secret of this process, which never leaves it. */
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
