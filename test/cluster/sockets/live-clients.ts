import { WebSocket } from 'ws'

import { comeBack } from './come-back.ts'
import type { Person } from './seed.ts'

/** As the client of Rails waits before it connects again: at least so long, up to twice as long, and longer each time. */
const RETRY = { ms: 6_000, growth: 1.15, tries: 10 }
function pauseMs(tries: number): number {
  const backoff = RETRY.growth ** Math.min(tries, RETRY.tries)
  const jitter = tries === 0 ? 1 : RETRY.growth - 1
  return RETRY.ms * backoff * (1 + jitter * Math.random())
}

const SUBSCRIBE = JSON.stringify({
  command: 'subscribe',
  identifier: JSON.stringify({ channel: 'CallsChannel' }),
})

interface LiveClientOptions {
  url: string
  /** Called for every message of the channel. */
  onMessage(): void
  /** As the dashboard does when it is back: reads what may have changed. */
  onBack(person: Person): void
}

export interface LiveClients {
  connect(person: Person): Promise<void>
  subscribed(): number
  /** Attempts that were refused or failed. */
  refused: Record<string, number>
  close(): void
}

/** Clients of the live channel that come back by themselves, as the dashboard does. */
export function openLiveClients({ url, onMessage, onBack }: LiveClientOptions): LiveClients {
  const open = new Set<WebSocket>()
  const refused: Record<string, number> = {}
  const closing = new AbortController()
  let subscribed = 0

  function attempt(person: Person, isBack: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${url}/cable`, 'actioncable-v1-json', {
        headers: { 'x-api-key': person.key },
        perMessageDeflate: false,
      })
      let isSubscribed = false
      socket.on('message', (data: Buffer) => {
        const text = data.toString('latin1')
        if (text.startsWith('{"type":"ping"')) return
        if (text.startsWith('{"type":"welcome"')) socket.send(SUBSCRIBE)
        else if (text.includes('"confirm_subscription"')) {
          isSubscribed = true
          subscribed++
          if (isBack) onBack(person)
          resolve()
        } else if (text.includes('"message"')) onMessage()
      })
      socket.on('open', () => open.add(socket))
      socket.on('error', (error) => reject(error))
      socket.on('close', () => {
        open.delete(socket)
        if (!isSubscribed) return reject(new Error('closed'))
        subscribed--
        void comeBack({ attempt: () => attempt(person, true), pauseMs, closing: closing.signal, refused })
      })
    })
  }

  return {
    connect: (person) => attempt(person, false),
    subscribed: () => subscribed,
    refused,
    close() {
      closing.abort()
      for (const socket of open) socket.terminate()
    },
  }
}
