import JsSIP from 'jssip'
import type { EndEvent, IncomingEvent, OutgoingEvent, RTCSession } from 'jssip/lib/RTCSession.js'
import type { IncomingRTCSessionEvent, RTCSessionEvent } from 'jssip/lib/UA.js'

import { reasonOf } from './end-reason.ts'
import { watchSigns } from './signs-of-life.ts'
import type { CallToRejoin, EndReason, PhoneCall, PhoneInput } from './state.ts'

const LIMITS = {
  registrationSeconds: 120,
  /** After a lost connection: the first try, and the longest wait between two. */
  reconnectSecondsMin: 1,
  reconnectSecondsMax: 10,
  /** After the exchange could not, as while its database is away. */
  registerAgainMs: 5_000,
}

export interface LineAccount {
  username: string
  password: string
  domain: string
  /** Of the WebSocket. */
  url: string
  /** The same for a page that is loaded again. */
  instance: string
}

export interface LineListener {
  input(input: PhoneInput): void
  /** What is heard from the other end. */
  sound(stream: MediaStream): void
  /** Whether the exchange says that the call is over. */
  isCallGone(): Promise<boolean>
}

/** The way to the exchange, by SIP over a WebSocket. It has one call at a time, and comes back by itself. */
export interface Line {
  dial(to: string, headers: string[], microphone: MediaStream): void
  /** Takes up the call that the page had before it was loaded again. */
  rejoin(kept: CallToRejoin, microphone: MediaStream): void
  answer(microphone: MediaStream): void
  decline(): void
  refuseSecond(): void
  hangUp(): void
  hold(): void
  resume(): void
  mute(isMuted: boolean): void
  press(key: string): void
  /** Another microphone, also in the middle of a call. */
  speakThrough(microphone: MediaStream): Promise<void>
  /** Hangs up and leaves. */
  close(): void
  /** Leaves without a word, as a page does that is closed: the call is gone on with elsewhere. */
  abandon(): void
}

/** The exchange does not know the credentials any more. */
const REFUSED = new Set([401, 403, 404])

const PEER = { pcConfig: { iceServers: [] } }

export function openLine(account: LineAccount, listener: LineListener): Line {
  const socket = new JsSIP.WebSocketInterface(account.url)
  const ua = new JsSIP.UA({
    sockets: [socket],
    uri: `sip:${account.username}@${account.domain}`,
    password: account.password,
    instance_id: account.instance,
    register_expires: LIMITS.registrationSeconds,
    connection_recovery_min_interval: LIMITS.reconnectSecondsMin,
    connection_recovery_max_interval: LIMITS.reconnectSecondsMax,
    // A call outlives its connection: the exchange watches the sound, not the signalling.
    session_timers: false,
    user_agent: 'Bellhop softphone',
  })
  let session: RTCSession | undefined
  let second: RTCSession | undefined

  ua.on('registered', () => listener.input({ on: 'registered' }))
  ua.on('disconnected', () => listener.input({ on: 'disconnected' }))
  ua.on('registrationFailed', ({ response }) => {
    // Without an answer it is the connection, which comes back by itself.
    if (!response) return
    if (REFUSED.has(response.status_code)) {
      // Whoever talks may finish, and asks again then.
      if (!session) listener.input({ on: 'stopped', why: 'refused' })
      else session.once('ended', () => ua.isConnected() && ua.register())
      return
    }
    setTimeout(() => ua.isConnected() && ua.register(), LIMITS.registerAgainMs)
  })
  ua.on('newRTCSession', (event: RTCSessionEvent) => {
    if (event.session.direction === 'incoming') ring(event as IncomingRTCSessionEvent)
  })

  function ring({ session: incoming, request }: IncomingRTCSessionEvent): void {
    const isBusy = session !== undefined
    if (isBusy) second = incoming
    else follow(incoming, () => Date.now())
    listener.input({ on: 'rang', call: callOf(incoming, request) })
  }

  function follow(own: RTCSession, answeredAt: () => number, listen = hear): void {
    session = own
    const over = (event: EndEvent) => {
      stopWatching?.()
      if (session !== own) return
      session = undefined
      listener.input({ on: 'ended', why: reasonOf(event) })
    }
    let stopWatching: (() => void) | undefined
    own.on('confirmed', () => {
      listener.input({ on: 'answered', at: answeredAt() })
      stopWatching?.()
      stopWatching = watch(own)
    })
    own.on('progress', (event: IncomingEvent | OutgoingEvent) => {
      // That it rings here is no news.
      if (event.originator === 'local') return
      const { response } = event
      listener.input({ on: response.body ? 'sounds_there' : 'rings_there' })
    })
    own.on('hold', ({ originator }) => originator === 'local' && listener.input({ on: 'held' }))
    own.on('unhold', ({ originator }) => originator === 'local' && listener.input({ on: 'resumed' }))
    own.on('ended', over)
    own.on('failed', over)
    if (own.connection) listen(own.connection)
    else own.on('peerconnection', ({ peerconnection }) => listen(peerconnection))
  }

  /** The exchange may be gone without a word, as when it was killed: then so is the call. */
  function watch(own: RTCSession): () => void {
    const drop = (why: EndReason) => {
      if (session !== own) return
      session = undefined
      listener.input({ on: 'ended', why })
      own.terminate()
    }
    return watchSigns(own.connection, {
      heard: (isHeard) => listener.input({ on: 'heard', isHeard }),
      stillQuiet: () => void listener.isCallGone().then((isGone) => isGone && drop('gone')),
      dead: () => drop('no_sound'),
    })
  }

  function hear(connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ track }) => listener.sound(new MediaStream([track])))
  }

  function call(
    to: string,
    extraHeaders: string[],
    mediaStream: MediaStream,
    answeredAt: () => number,
  ): RTCSession {
    // The peer connection is made while the call is: whoever listens must be there before.
    const outgoing = ua.call(`sip:${encodeURIComponent(to)}@${account.domain}`, {
      ...PEER,
      mediaStream,
      extraHeaders,
    })
    follow(outgoing, answeredAt)
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
    dial: (to, headers, microphone) => void call(to, headers, microphone, () => Date.now()),
    rejoin({ call: { id }, since, isMuted, isHeld }, microphone) {
      // Who was not to be heard must not be heard for a moment either.
      for (const track of microphone.getAudioTracks()) track.enabled = !isMuted && !isHeld
      const again = call('rejoin', [`X-Bellhop-Call: ${id}`], microphone, () => since)
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
      // Who is muted, or holds, stays so.
      track.enabled = sender.track.enabled
      await sender.replaceTrack(track)
    },
    close,
    abandon() {
      // Nothing can be said any more, so nobody is hung up on.
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
