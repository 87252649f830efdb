import { z } from 'zod'

/**
 * Whether the media of a phone is encrypted: `auto` if it registered by TLS and does not refuse it, `required` always,
 * `off` never.
 */
export const DeviceEncryption = z.enum(['auto', 'required', 'off'])

export type DeviceEncryption = z.infer<typeof DeviceEncryption>
