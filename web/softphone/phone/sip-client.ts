import JsSIP from 'jssip'
import type { EndEvent, IncomingEvent, OutgoingEvent, RTCSession } from 'jssip/lib/RTCSession.js'
import type { IncomingRTCSessionEvent, RTCSessionEvent } from 'jssip/lib/UA.js'

import { monitorConnection } from './connection-monitor.ts'
import { reasonOf, whyNotRejoined } from './end-reason.ts'
import type { CallToRejoin, EndReason, PhoneCall, PhoneInput } from './state.ts'

const LIMITS = {
  registrationSeconds: 120,
  /** After a lost connection: the first try, and the longest wait between two. */
  reconnectSecondsMin: 1,
  reconnectSecondsMax: 10,
  /** After the edge failed, as during an outage of its database. */
  registerAgainMs: 5_000,
}

export interface SipAccount {
  username: string
  password: string
  domain: string
  /** URL of the WebSocket. */
  url: string
  /** Stays the same when the page is reloaded. */
  instance: string
}

export interface SipClientListener {
  input(input: PhoneInput): void
  /** The audio of the remote party. */
  sound(stream: MediaStream): void
  /** Whether the server says that the call has ended. */
  isCallGone(): Promise<boolean>
}

/** The SIP connection over a WebSocket. It has one call at a time, and reconnects by itself. */
export interface SipClient {
  dial(to: string, headers: string[], microphone: MediaStream): void
  /** Rejoins the call that the page had before it was reloaded. */
  rejoin(kept: CallToRejoin, microphone: MediaStream): void
  answer(microphone: MediaStream): void
  decline(): void
  refuseSecond(): void
  hangUp(): void
  hold(): void
  resume(): void
  mute(isMuted: boolean): void
  press(key: string): void
  /** Changes the microphone, also during a call. */
  speakThrough(microphone: MediaStream): Promise<void>
  /** Replaces the connection; a call continues. */
  reconnect(): void
  /** Hangs up and deregisters. */
  close(): void
  /** Disconnects without a BYE, as a closed page does: the call continues elsewhere. */
  abandon(): void
}

/** The credentials are no longer valid. */
const REFUSED = new Set([401, 403, 404])

const PEER = { pcConfig: { iceServers: [] } }

interface CallKind {
  answeredAt(): number
  whyEnded(event: EndEvent): EndReason
}

const NEW_CALL: CallKind = { answeredAt: () => Date.now(), whyEnded: reasonOf }

export function openSipClient(account: SipAccount, listener: SipClientListener): SipClient {
  const socket = new JsSIP.WebSocketInterface(account.url)
  const ua = new JsSIP.UA({
    sockets: [socket],
    uri: `sip:${account.username}@${account.domain}`,
    password: account.password,
    instance_id: account.instance,
    register_expires: LIMITS.registrationSeconds,
    connection_recovery_min_interval: LIMITS.reconnectSecondsMin,
    connection_recovery_max_interval: LIMITS.reconnectSecondsMax,
    // A call outlives its connection: the edge watches the media, not the signalling.
    session_timers: false,
    user_agent: 'Bellhop softphone',
  })
  let session: RTCSession | undefined
  let isAnswered = false
  let second: RTCSession | undefined

  ua.on('registered', () => listener.input({ on: 'registered' }))
  ua.on('disconnected', () => {
    dropUnanswered()
    listener.input({ on: 'disconnected' })
  })
  ua.on('registrationFailed', ({ response }) => {
    // Without a response it is the connection, which reconnects by itself.
    if (!response) return
    if (REFUSED.has(response.status_code)) {
      // A call may finish; then it registers again.
      if (!session) listener.input({ on: 'stopped', why: 'refused' })
      else session.once('ended', () => ua.isConnected() && ua.register())
      return
    }
    setTimeout(() => ua.isConnected() && ua.register(), LIMITS.registerAgainMs)
  })
  ua.on('newRTCSession', (event: RTCSessionEvent) => {
    if (event.session.direction === 'incoming') ring(event as IncomingRTCSessionEvent)
  })

  /** It cannot be answered any more: if the caller still waits, the edge calls again. */
  function dropUnanswered(): void {
    const lost = session
    if (!lost || isAnswered) return
    session = undefined
    if (!lost.isEnded()) lost.terminate()
  }

  function ring({ session: incoming, request }: IncomingRTCSessionEvent): void {
    const isBusy = session !== undefined
    if (isBusy) second = incoming
    else follow(incoming)
    listener.input({ on: 'rang', call: callOf(incoming, request) })
  }

  function follow(own: RTCSession, { answeredAt, whyEnded }: CallKind = NEW_CALL): void {
    session = own
    isAnswered = false
    const over = (event: EndEvent) => {
      stopWatching?.()
      if (session !== own) return
      session = undefined
      listener.input({ on: 'ended', why: whyEnded(event) })
    }
    let stopWatching: (() => void) | undefined
    own.on('confirmed', () => {
      isAnswered = true
      listener.input({ on: 'answered', at: answeredAt() })
      stopWatching?.()
      stopWatching = watch(own)
    })
    own.on('progress', (event: IncomingEvent | OutgoingEvent) => {
      // Our own ringing is not an event.
      if (event.originator === 'local') return
      const { response } = event
      listener.input({ on: response.body ? 'sounds_there' : 'rings_there' })
    })
    own.on('hold', ({ originator }) => originator === 'local' && listener.input({ on: 'held' }))
    own.on('unhold', ({ originator }) => originator === 'local' && listener.input({ on: 'resumed' }))
    own.on('ended', over)
    own.on('failed', over)
    if (own.connection) hear(own.connection)
    else own.on('peerconnection', ({ peerconnection }) => hear(peerconnection))
  }

  /** The edge may be gone without a BYE, as when it was killed: then so is the call. */
  function watch(own: RTCSession): () => void {
    const drop = (why: EndReason) => {
      if (session !== own) return
      session = undefined
      listener.input({ on: 'ended', why })
      own.terminate()
    }
    return monitorConnection(own.connection, {
      heard: (isHeard) => listener.input({ on: 'heard', isHeard }),
      stillQuiet: () => void listener.isCallGone().then((isGone) => isGone && drop('gone')),
      dead: () => drop('no_sound'),
    })
  }

  function hear(connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ track }) => listener.sound(new MediaStream([track])))
  }

  function call(to: string, extraHeaders: string[], mediaStream: MediaStream, kind = NEW_CALL): RTCSession {
    // The peer connection is created during `call`, so listeners must be there before.
    const outgoing = ua.call(`sip:${encodeURIComponent(to)}@${account.domain}`, {
      ...PEER,
      mediaStream,
      extraHeaders,
    })
    follow(outgoing, kind)
    return outgoing
  }

  function mute(isMuted: boolean): void {
    if (isMuted) session?.mute({ audio: true })
    else session?.unmute({ audio: true })
    listener.input({ on: 'muted', isMuted })
  }

  function close(): void {
    session = undefined
    ua.removeAllListeners()
    ua.stop()
  }

  ua.start()

  return {
    dial: (to, headers, microphone) => void call(to, headers, microphone),
    rejoin({ call: { id }, since, isMuted, isHeld }, microphone) {
      // A muted microphone must not be heard even for a moment.
      for (const track of microphone.getAudioTracks()) track.enabled = !isMuted && !isHeld
      const again = call('rejoin', [`X-Bellhop-Call: ${id}`], microphone, {
        answeredAt: () => since,
        whyEnded: whyNotRejoined,
      })
      again.on('confirmed', () => {
        if (isMuted) mute(true)
        if (isHeld) again.hold()
      })
    },
    answer: (mediaStream) => session?.answer({ ...PEER, mediaStream }),
    decline: () => session?.terminate({ status_code: 603 }),
    refuseSecond() {
      second?.terminate({ status_code: 486 })
      second = undefined
    },
    hangUp: () => session?.terminate(),
    hold: () => void session?.hold(),
    resume: () => void session?.unhold(),
    mute,
    press: (key) => session?.sendDTMF(key),
    async speakThrough(microphone) {
      const sender = session?.connection?.getSenders().find(({ track }) => track?.kind === 'audio')
      const track = microphone.getAudioTracks()[0]
      if (!sender?.track || !track) return
      // Mute and hold stay as they are.
      track.enabled = sender.track.enabled
      await sender.replaceTrack(track)
    },
    reconnect() {
      // Without one, JsSIP is connecting already.
      if (!socket.isConnected()) return
      socket.disconnect()
      socket.ondisconnect(true)
    },
    close,
    abandon() {
      // Nothing can be sent any more, so the remote party is not hung up on.
      socket.disconnect()
      close()
    },
  }
}

function callOf(session: RTCSession, request: IncomingRTCSessionEvent['request']): PhoneCall {
  return {
    id: request.getHeader('X-Bellhop-Call') ?? null,
    direction: 'incoming',
    other: session.remote_identity.uri.user,
    number: request.getHeader('X-Bellhop-Number') ?? null,
  }
}
