const BYTES = 16

/** Names one attempt, so that asking twice does not do it twice. `randomUUID` is missing where there is no TLS. */
export const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
