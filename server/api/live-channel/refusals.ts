import { AppError } from '../../platform/errors.ts'
import { PROTOCOL } from './frames.ts'

/** Responses in place of an upgrade. A client that gets one retries with growing delays; programs can read how soon. */
const SOON = { 'retry-after': '5' }
const LATER = { 'retry-after': '60' }

export const upgradeRequired = new AppError({
  status: 426,
  code: 'upgrade_required',
  message: 'This is the live channel: connect with a WebSocket.',
  headers: { upgrade: 'websocket', connection: 'upgrade' },
})

export const unknownProtocol = new AppError({
  status: 400,
  code: 'unknown_protocol',
  message: `Of the protocols that the client offers in Sec-WebSocket-Protocol, one must be ${PROTOCOL}.`,
})

export const liveChannelUnavailable = new AppError({
  status: 503,
  code: 'unavailable',
  message: 'The credential cannot be checked at this moment. Connect again soon.',
  headers: SOON,
})

export const tooManyAtOnce = new AppError({
  status: 503,
  code: 'busy',
  message: 'Too many clients are connecting right now. Connect again in a moment.',
  headers: SOON,
})

export const stopping = new AppError({
  status: 503,
  code: 'unavailable',
  message: 'This process is stopping. Connect again.',
  headers: SOON,
})

export const tooManySockets = new AppError({
  status: 503,
  code: 'too_many_connections',
  message: 'There are too many open connections. Close some of them.',
  headers: LATER,
})
