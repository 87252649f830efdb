import { z } from 'zod'

import { parseJson } from '../../platform/text/parse-json.ts'

/** The wire protocol of Action Cable. */
export const PROTOCOL = 'actioncable-v1-json'

/** Why a connection ends, by the words of the protocol, and whether the client should come back by itself. */
export const ENDINGS = {
  /** The credential is missing, wrong or no longer valid. */
  unauthorized: { reconnect: false, closeCode: 1008 },
  /** The client does not speak the protocol, or asks for too much. */
  invalid_request: { reconnect: false, closeCode: 1008 },
  /** This process stops, or has missed messages: the client connects again and then reads everything anew. */
  server_restart: { reconnect: true, closeCode: 1012 },
}
export type Ending = keyof typeof ENDINGS

export const welcomeFrame = () => JSON.stringify({ type: 'welcome' })

export const pingFrame = (now: Date) =>
  JSON.stringify({ type: 'ping', message: Math.floor(now.getTime() / 1000) })

export const confirmFrame = (identifier: string) =>
  JSON.stringify({ identifier, type: 'confirm_subscription' })

export const rejectFrame = (identifier: string) => JSON.stringify({ identifier, type: 'reject_subscription' })

export const disconnectFrame = (reason: Ending) =>
  JSON.stringify({ type: 'disconnect', reason, reconnect: ENDINGS[reason].reconnect })

export const messageFrame = (identifier: string, json: string) =>
  `{"identifier":${JSON.stringify(identifier)},"message":${json}}`

const Command = z.object({ command: z.string(), identifier: z.string() })
export type Command = z.output<typeof Command>

/** Undefined for what is no command at all; one that is not known here is still one. */
export function readCommand(text: string): Command | undefined {
  return Command.safeParse(parseJson(text)).data
}

const Identifier = z.object({ channel: z.string() })

/** The channel that the identifier of a subscription names. Clients may add parameters; ours has none. */
export function channelOf(identifier: string): string | undefined {
  return Identifier.safeParse(parseJson(identifier)).data?.channel
}
