import { z } from 'zod'

import { parseJson } from '../../platform/text/parse-json.ts'

/** The wire protocol of Action Cable. */
export const PROTOCOL = 'actioncable-v1-json'

/** Why a connection ends, in the protocol's terms, and whether the client should reconnect by itself. */
export const DISCONNECT_REASONS = {
  /** The credential is missing, wrong or no longer valid. */
  unauthorized: { reconnect: false, closeCode: 1008 },
  /** The client does not speak the protocol, or exceeds a limit. */
  invalid_request: { reconnect: false, closeCode: 1008 },
  /** This process stops, or has missed messages: the client reconnects and then refetches everything. */
  server_restart: { reconnect: true, closeCode: 1012 },
}
export type DisconnectReason = keyof typeof DISCONNECT_REASONS

export const welcomeFrame = () => JSON.stringify({ type: 'welcome' })

export const pingFrame = (now: Date) =>
  JSON.stringify({ type: 'ping', message: Math.floor(now.getTime() / 1000) })

export const confirmFrame = (identifier: string) =>
  JSON.stringify({ identifier, type: 'confirm_subscription' })

export const rejectFrame = (identifier: string) => JSON.stringify({ identifier, type: 'reject_subscription' })

export const disconnectFrame = (reason: DisconnectReason) =>
  JSON.stringify({ type: 'disconnect', reason, reconnect: DISCONNECT_REASONS[reason].reconnect })

export const messageFrame = (identifier: string, json: string) =>
  `{"identifier":${JSON.stringify(identifier)},"message":${json}}`

const Command = z.object({ command: z.string(), identifier: z.string() })
export type Command = z.output<typeof Command>

/** Undefined if it is not a command; unknown commands are returned. */
export function readCommand(text: string): Command | undefined {
  return Command.safeParse(parseJson(text)).data
}

const Identifier = z.object({ channel: z.string() })

/** The channel in the identifier of a subscription. Clients may add parameters; ours has none. */
export function channelOf(identifier: string): string | undefined {
  return Identifier.safeParse(parseJson(identifier)).data?.channel
}
