import type { Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'

import type { Log } from '../../platform/log.ts'
import type { RtpAddress } from '../sdp/remote-audio.ts'
import { bindingSuccess, hasValidIntegrity, isStun, readBindingRequest, roleConflict } from './stun.ts'

/** A browser on the shared port. */
export interface IcePeer {
  credentials: { ufrag: string; pwd: string }
  /** The ufrag of the other side, once known. */
  remoteUfrag: string | undefined
  /** A valid check came from this address. */
  checked(from: RtpAddress, chosen: boolean): void
  receive(bytes: Buffer): void
}

/** A browser sends checks from a handful of addresses. */
const ADDRESSES_MAX = 16

/** A socket, and our address in SDP. There is at most one of each family. */
export interface SharedSocket {
  address: string
  socket: Socket
}

/** One UDP port for all browsers, in each family, which are distinguished by their ICE checks. */
export function createSharedPort(sockets: SharedSocket[], log: Log) {
  const byUfrag = new Map<string, IcePeer>()
  const byAddress = new Map<string, IcePeer>()
  let closed = false

  function onCheck(bytes: Buffer, from: RtpAddress): void {
    const request = readBindingRequest(bytes)
    const guest = request && byUfrag.get(request.to)
    if (!guest || !hasValidIntegrity(request, guest.credentials.pwd)) return
    if (guest.remoteUfrag !== undefined && guest.remoteUfrag !== request.from) return
    const { pwd } = guest.credentials
    if (request.controlled) return send(roleConflict(request, pwd), from)
    send(bindingSuccess(request, from, pwd), from)
    remember(guest, key(from))
    guest.checked({ address: from.address, port: from.port }, request.useCandidate)
  }

  function remember(guest: IcePeer, address: string): void {
    byAddress.delete(address)
    byAddress.set(address, guest)
    const known = [...byAddress].filter(([, other]) => other === guest)
    for (const [oldest] of known.slice(0, -ADDRESSES_MAX)) byAddress.delete(oldest)
  }

  function send(bytes: Buffer, to: RtpAddress): void {
    if (closed) return
    const family = isIPv6(to.address) ? 'IPv6' : 'IPv4'
    const { socket } = sockets.find((each) => each.socket.address().family === family) ?? sockets[0]!
    socket.send(bytes, to.port, to.address)
  }

  for (const { socket } of sockets) {
    socket.on('error', (err) => log.debug({ err }, 'a media packet could not be sent'))
    socket.on('message', (bytes, from) => {
      try {
        if (isStun(bytes)) onCheck(bytes, from)
        else byAddress.get(key(from))?.receive(bytes)
      } catch (err) {
        // All browsers share this port, so one packet must not close it.
        log.warn({ err }, 'handling a media packet failed')
      }
    })
  }

  return {
    /** The addresses for candidates, the default first. */
    places: sockets.map(({ address, socket }) => ({ address, port: socket.address().port })),
    add(guest: IcePeer): void {
      byUfrag.set(guest.credentials.ufrag, guest)
    },
    remove(guest: IcePeer): void {
      for (const [ufrag, other] of byUfrag) if (other === guest) byUfrag.delete(ufrag)
      for (const [address, other] of byAddress) if (other === guest) byAddress.delete(address)
    },
    send,
    close(): void {
      if (closed) return
      closed = true
      for (const { socket } of sockets) socket.close()
    },
  }
}

export type SharedPort = ReturnType<typeof createSharedPort>

const key = ({ address, port }: RtpAddress) => `${address} ${port}`
