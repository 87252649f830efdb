import type { IncomingMessage } from 'node:http'

import type { Clock } from '../../platform/clock.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { DefaultHeaders } from '../reply/default-headers.ts'
import { createConnectionAdmission } from './admission.ts'
import { type DropReason, type LiveConnection, openLiveConnection } from './connection.ts'
import { createLiveConnections } from './connections.ts'
import type { Authenticate } from './credentials.ts'
import { type DisconnectReason, pingFrame } from './frames.ts'
import { LIVE_CHANNEL_LIMITS } from './limits.ts'
import { createStreams } from './streams.ts'

interface CableOptions extends Dependencies<'clock' | 'log'> {
  authenticate: Authenticate
  mayConnectFrom(request: IncomingMessage): boolean
  standing: DefaultHeaders
  follow(companyId: string): Promise<() => void>
  onEnding(why: DisconnectReason | DropReason): void
}

/** All clients of the live channel in this process. */
export function createCable(options: CableOptions) {
  const { authenticate, mayConnectFrom, standing, follow, clock, log, onEnding } = options
  const members = createLiveConnections()
  const streams = createStreams<LiveConnection>()
  const onClose = (connection: LiveConnection) => members.delete(connection)
  const admission = createConnectionAdmission({
    authenticate,
    mayConnectFrom,
    hasRoomFor: ({ actor }) => members.hasRoomFor(actor.companyId),
    onRefused: onEnding,
    onAdmitted(socket, admission) {
      members.add(openLiveConnection(socket, { admission, streams, follow, clock, onEnding, onClose }))
      beats.start()
    },
    standing,
    log,
  })

  const beats = createBeats(clock, (beat) => {
    if (members.size() === 0) return beats.stop()
    const now = clock.now()
    const frame = Buffer.from(pingFrame(now))
    for (const connection of members) {
      const { end } = connection.admission
      if (end && end.at <= now) connection.disconnect(end.as)
      connection.send(frame)
      if (beat % LIVE_CHANNEL_LIMITS.pingsBetweenProofs === 0) connection.askForProof()
    }
  })

  function restart(): void {
    admission.recheck()
    for (const connection of members) connection.disconnect('server_restart')
  }

  return {
    size: members.size,
    receive: admission.receive,
    tell: streams.tell,
    /** A credential was revoked: disconnects its clients. */
    revoke(credentialId: string): void {
      admission.recheck()
      for (const connection of members)
        if (connection.admission.credentialId === credentialId) connection.disconnect('unauthorized')
    },
    /** Messages may have been missed: asks all clients to reconnect. */
    restart,
    /** Asks all clients to reconnect, to another process or a later one; may be called twice. */
    close(): Promise<void> {
      beats.stop()
      restart()
      return admission.close()
    },
  }
}

/** A process without clients wakes up for nothing. */
function createBeats(clock: Clock, run: (beat: number) => void) {
  let beat = 0
  let callOff: (() => void) | undefined
  const next = () => {
    callOff = clock.after(LIVE_CHANNEL_LIMITS.pingMs, next)
    run(++beat)
  }
  return {
    start() {
      callOff ??= clock.after(LIVE_CHANNEL_LIMITS.pingMs, next)
    },
    stop() {
      callOff?.()
      callOff = undefined
    },
  }
}
