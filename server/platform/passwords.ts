import { hash } from '@node-rs/argon2'

/** Argon2id with the cost OWASP recommends (19 MiB, two passes); computed off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}
