const BYTES = 16

/** Identifies one attempt, so that a repeated request has no second effect. `randomUUID` needs a secure context. */
export const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
