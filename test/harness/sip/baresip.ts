import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { wavHeader } from '../../../server/media/audio/wav-writer.ts'
import { freePort } from '../processes/ports.ts'
import { sine } from '../sound/audio-analysis.ts'
import { AsyncQueue } from './async-queue.ts'
import { recordBaresip } from './baresip-audio.ts'

const VOICE_SECONDS = 180

interface BaresipEvent {
  event?: boolean
  type?: string
  peeruri?: string
  param?: string
}

/** A desk phone: baresip with one registration at the edge, controlled through its control port. */
export async function startBaresip(account: {
  user: string
  password: string
  port: number
  /** The address of the edge, and of the phone. */
  host?: '127.0.0.1' | '::1'
  protocol: 'udp' | 'tcp' | 'tls'
  answers: 'auto' | 'manual'
  /** Encrypts its media: offers it on a plain line, or accepts nothing else. Without, it has no SRTP. */
  encryption?: 'srtp' | 'srtp-mand'
  /** Subscribes to the state of its mailbox (RFC 3842). */
  mailbox?: boolean
  /** The tone it sends; silent without one. */
  hz?: number
  /** It echoes what it receives, so that the other end can verify it. */
  echoes?: boolean
}) {
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-baresip-'))
  const [sipPort, controlPort] = [await freePort(), await freePort()]
  const { user, password, port, host = '127.0.0.1', protocol, answers } = account
  const { hz = 0, echoes = false, encryption, mailbox = false } = account
  const place = host === '::1' ? '[::1]' : host
  const source = echoes ? ECHO : `aufile,${dir}/voice.wav`
  await writeFile(
    join(dir, 'config'),
    config({ dir, host, sipAddress: `${place}:${sipPort}`, controlPort, source }) +
      (encryption ? 'module srtp.so\n' : '') +
      (mailbox ? 'module_app mwi.so\n' : ''),
  )
  await writeFile(
    join(dir, 'accounts'),
    `<sip:${user}@${place}:${port};transport=${protocol}>;auth_user=${user};auth_pass=${password};` +
      `answermode=${answers};regint=300;audio_codecs=PCMA${encryption ? `;mediaenc=${encryption}` : ''}` +
      // Without, it would subscribe over UDP, whatever it registers with.
      `${mailbox ? `;outbound="sip:${place}:${port};transport=${protocol}"` : ''}\n`,
  )
  await writeFile(join(dir, 'contacts'), '')
  const voice = Buffer.from(sine(hz, VOICE_SECONDS).buffer)
  await writeFile(join(dir, 'voice.wav'), Buffer.concat([wavHeader(1, voice.length), voice]))
  const child = spawn('baresip', [host === '::1' ? '-6' : '-4', '-f', dir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const events = new AsyncQueue<BaresipEvent>()
  const control = await connectWhenReady(
    controlPort,
    () => child.exitCode === null,
    () => output,
  )
  readNetstrings(control, (text) => {
    const message = JSON.parse(text) as BaresipEvent
    if (message.event) events.put(message)
  })
  return {
    sipPort,
    /** A command of baresip's menu, such as `dial` or `hold`. */
    command(command: string, params = ''): void {
      const json = JSON.stringify({ command, params, token: '1' })
      control.write(`${Buffer.byteLength(json)}:${json},`)
    },
    /** The next event of this type, with this in its parameter. */
    event: (type: string, containing = ''): Promise<BaresipEvent> =>
      events.take((event) => event.type === type && (event.param ?? '').includes(containing)),
    /** Whether there was such an event that nobody has taken. */
    has: (type: string, containing: string): boolean =>
      events.waiting.some((event) => event.type === type && (event.param ?? '').includes(containing)),
    ...recordBaresip(dir),
    async stop(): Promise<void> {
      control.destroy()
      if (child.exitCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A loopback device: what is played to it can be recorded from it. */
const ECHO = 'aubridge,nil'

interface BaresipSettings {
  dir: string
  host: string
  sipAddress: string
  controlPort: number
  source: string
}

/** Without a sound card: plays a file, and records the received audio. */
function config({ dir, host, sipAddress, controlPort, source }: BaresipSettings): string {
  return `
poll_method epoll
sip_listen ${sipAddress}
call_local_timeout 60
audio_source ${source}
audio_player ${ECHO}
audio_alert aufile,${dir}/voice.wav
net_interface ${host}
rtp_ports 20000-29000
module_path /usr/lib/baresip/modules
module g711.so
module aufile.so
module aubridge.so
module sndfile.so
snd_path ${dir}
module ctrl_tcp.so
module_tmp uuid.so
module_tmp account.so
module_app menu.so
ctrl_tcp_listen 127.0.0.1:${controlPort}
`
}

const ATTEMPTS = 100
const PAUSE_MS = 100

async function connectWhenReady(port: number, lives: () => boolean, output: () => string): Promise<Socket> {
  for (let attempt = 0; attempt < ATTEMPTS && lives(); attempt++) {
    const socket = connect({ host: '127.0.0.1', port })
    try {
      await once(socket, 'connect')
      return socket
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  throw new Error(`baresip is not there:\n${output()}`)
}

function readNetstrings(socket: Socket, receive: (text: string) => void): void {
  let held = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, chunk])
    for (let colon = held.indexOf(':'); colon !== -1; colon = held.indexOf(':')) {
      const end = colon + 1 + Number(held.toString('latin1', 0, colon))
      if (held.length <= end) return
      receive(held.toString('utf8', colon + 1, end))
      held = held.subarray(end + 1)
    }
  })
}
