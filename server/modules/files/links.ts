import type { SignedLinks } from '../../platform/crypto/signed-links.ts'

/** Full URLs of stored files, for API responses. */
export interface FileLinks {
  to(key: string, lifeMs?: number): string
}

/** Long enough to listen, short enough that a leaked URL is soon useless. */
const LIFE_MS = 60 * 60 * 1000

export function createFileLinks({
  signed,
  baseUrl,
}: {
  signed: SignedLinks
  baseUrl: () => string
}): FileLinks {
  return { to: (key, lifeMs = LIFE_MS) => baseUrl() + signed.to(key, lifeMs) }
}
