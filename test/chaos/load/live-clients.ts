import { WebSocket } from 'ws'

import type { Role } from '../environment/role.ts'
import type { LoadParts } from './load.ts'

const LIMITS = { againMs: 1_000, quietMs: 10_000 }
const PER_API = 2
const SUBSCRIBE = JSON.stringify({ command: 'subscribe', identifier: '{"channel":"CallsChannel"}' })

/** Clients of the live channel, which reconnect as published clients do. */
export interface ReconnectingClient {
  name: string
  heard(): number
  /** Resolves with the next message of this kind. */
  onMessage(listener: ((message: { type: string }) => void) | undefined): void
  isSubscribed(): boolean
  close(): void
}

export function openLiveClients({ stage }: LoadParts): ReconnectingClient[] {
  return stage
    .rolesOf('api')
    .flatMap((role) => Array.from({ length: PER_API }, (_, i) => open(stage, role, i)))
}

function open({ company }: LoadParts['stage'], role: Role, index: number): ReconnectingClient {
  let socket: WebSocket | undefined
  let [heard, isSubscribed, isClosed] = [0, false, false]
  let timer: NodeJS.Timeout | undefined
  let listener: ((message: { type: string }) => void) | undefined

  function connect(): void {
    const headers = { 'x-api-key': company.absent.key }
    const one = new WebSocket(`ws://${role.address}/cable`, ['actioncable-v1-json'], { headers })
    socket = one
    one.on('error', () => {})
    one.on('close', () => {
      isSubscribed = false
      clearTimeout(timer)
      if (!isClosed) timer = setTimeout(connect, LIMITS.againMs)
    })
    one.on('message', (bytes: Buffer) => {
      // Pings arrive every few seconds: without any the connection is dead.
      clearTimeout(timer)
      timer = setTimeout(() => one.terminate(), LIMITS.quietMs)
      const frame = JSON.parse(bytes.toString()) as { type?: string; message?: { type: string } }
      if (frame.type === 'welcome') one.send(SUBSCRIBE)
      if (frame.type === 'confirm_subscription') isSubscribed = true
      if (frame.type !== undefined || !frame.message) return
      heard++
      listener?.(frame.message)
    })
  }

  connect()
  return {
    name: `client ${index + 1} of ${role.name}`,
    heard: () => heard,
    onMessage(wanted) {
      listener = wanted
    },
    isSubscribed: () => isSubscribed,
    close() {
      isClosed = true
      clearTimeout(timer)
      socket?.terminate()
    },
  }
}
