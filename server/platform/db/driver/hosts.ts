import { Socket } from 'node:net'

import type { Client } from 'pg'

import { systemClock } from '../../clock.ts'
import { PLATFORM_LIMITS } from '../../limits.ts'
import { type DatabaseAddress, type DatabaseHost, readAddress, type WantedSession } from '../address.ts'

/** Connects to a host with this socket, which is not connected yet, and rejects if it is not the right one. */
type Dial = (host: DatabaseHost, socket: Socket) => Promise<Client>

/** The servers of an address, and which of them this process found to be the right one. */
export interface Hosts {
  areSeveral: boolean
  wanted: WantedSession
  timeoutMs: number
  /**
   * Dials in the order of the address, beginning with the host that was right last. One that takes long is not waited
   * for: the next is dialled as well, and the first to succeed is used.
   */
  reach(dial: Dial): Promise<Client>
  /** The host to which connections are open; undefined if there are none. */
  current(): DatabaseHost | undefined
  /** This connection is broken too if another host turns out to be the right one. */
  keep(host: DatabaseHost, socket: Socket): void
}

const known = new WeakMap<DatabaseAddress, Hosts>()

/** All connections of a process to one address share what was found. */
export function hostsOf(address: DatabaseAddress): Hosts {
  const hosts = known.get(address) ?? createHosts(address)
  known.set(address, hosts)
  return hosts
}

function createHosts(address: DatabaseAddress): Hosts {
  const { hosts, wanted, timeoutMs = PLATFORM_LIMITS.connectSeconds * 1_000 } = readAddress(address)
  const open = new Map<Socket, DatabaseHost>()
  let right = hosts[0]!

  function keep(host: DatabaseHost, socket: Socket): void {
    open.set(socket, host)
    socket.once('close', () => open.delete(socket))
  }

  /** A server that was replaced may still accept writes, or just not say that it is gone. */
  function settleOn(host: DatabaseHost): void {
    right = host
    if (wanted === 'any') return
    for (const [socket, other] of open) if (other !== host) socket.destroy()
  }

  function reach(dial: Dial): Promise<Client> {
    const order = [right, ...hosts.filter((host) => host !== right)]
    const dialled = new Set<Socket>()
    const failures: HostFailure[] = []
    let callOff: (() => void) | undefined
    const end = () => {
      callOff?.()
      for (const socket of dialled) socket.destroy()
      dialled.clear()
    }
    return new Promise((resolve, reject) => {
      const dialNext = () => {
        callOff?.()
        const host = order.shift()
        if (!host) return
        if (order.length > 0) callOff = systemClock.after(PLATFORM_LIMITS.hostPatienceMs, dialNext)
        const socket = new Socket()
        dialled.add(socket)
        dial(host, socket).then(
          (client) => {
            dialled.delete(socket)
            end()
            keep(host, socket)
            settleOn(host)
            resolve(client)
          },
          (error: Error & { code?: string }) => {
            socket.destroy()
            // Those that are given up fail too, after the promise is settled.
            if (!dialled.delete(socket)) return
            failures.push({ host, error })
            if (NO_USE.test(error.code ?? '') || failures.length === hosts.length) {
              end()
              reject(failureOf(failures))
            } else dialNext()
          },
        )
      }
      dialNext()
    })
  }

  const current = () => ([...open.values()].includes(right) ? right : undefined)
  return { areSeveral: hosts.length > 1, wanted, timeoutMs, reach, current, keep }
}

interface HostFailure {
  host: DatabaseHost
  error: Error & { code?: string }
}

/** PostgreSQL: wrong credentials, no such database. libpq tries no other host then either. */
const NO_USE = /^(28...|3D000)$/

/** The last failure, with the reasons of all hosts if there are several. */
function failureOf(failures: HostFailure[]): Error {
  const { error } = failures.at(-1)!
  if (failures.length > 1)
    error.message = failures.map(({ host, error: { message } }) => `${host.name}: ${message}`).join('; ')
  return error
}
