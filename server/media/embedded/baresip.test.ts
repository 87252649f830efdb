import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { sine, toneShareInParts } from '../../../test/harness/sound/audio-analysis.ts'
import { type MediaPlane, openMediaPlane } from '../../../test/harness/sound/media-plane.ts'
import { createResampler } from '../audio/resampler.ts'
import { openWav } from '../audio/wav-reader.ts'
import { wavHeader } from '../audio/wav-writer.ts'

let plane: MediaPlane
let folder: string
let sip: Socket
let baresip: ChildProcess | undefined
beforeEach(async () => {
  plane = openMediaPlane()
  folder = await mkdtemp(join(tmpdir(), 'bellhop-baresip-'))
  sip = createSocket('udp4')
  sip.bind(0, '127.0.0.1')
  await once(sip, 'listening')
  sip.on('message', (bytes, from) => {
    const message = bytes.toString()
    if (message.startsWith('BYE ')) sip.send(accepted(message, ''), from.port, from.address)
  })
})
afterEach(async () => {
  await hangUp()
  sip.close()
  await plane.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a third-party phone', () => {
  test.each([
    ['in the clear', 'pcma', ''],
    ['encrypted', 'pcma', ';mediaenc=srtp-mand'],
    ['with Opus', 'opus', ''],
  ])('is heard and hears, %s', async (_, codec, encryption) => {
    const [leg, bob] = [await callFromBaresip(codec, encryption), await plane.call()]
    await plane.media.bridge(leg, bob.leg)
    bob.phone.say(700)
    await bob.phone.hears(440)
    await bob.phone.until('two seconds', () => bob.phone.last(2_000))
    await expect
      .poll(async () => (await plane.media.statistics(leg)).receivedPackets)
      .toBeGreaterThanOrEqual(100)
    const figures = await plane.media.statistics(leg)
    expect(figures.lostPackets).toBe(0)
    // Before its keys are ready, baresip sends one unencrypted RTCP packet.
    expect(figures.refusedPackets).toBeLessThanOrEqual(encryption ? 1 : 0)
    await hangUp()
    const dump = (await readdir(folder)).find((name) => name.endsWith('-dec.wav'))!
    const read = openWav(await readFile(join(folder, dump)))
    if (!read.ok) throw new Error(read.why)
    const resampled = createResampler(read.wav)
    const heard = resampled.render(Math.floor(resampled.length / 2), resampled.length)
    expect(toneShareInParts(heard, 700)).toBeGreaterThan(0.9)
    expect(figures.opusDecodedFrames > 0).toBe(codec === 'opus')
  })
})

/** baresip plays 440 Hz, records what it hears, and calls us. */
async function callFromBaresip(codec: string, encryption: string): Promise<string> {
  const modules = ['stdio', 'g711', 'opus', 'aufile', 'aubridge', 'sndfile', 'srtp']
  await writeFile(join(folder, 'tone.wav'), codec === 'opus' ? wideTone(440, 20) : tone(440, 20))
  await writeFile(
    join(folder, 'accounts'),
    `<sip:anna@127.0.0.1>;regint=0;audio_codecs=${codec === 'opus' ? 'opus/48000/2' : codec}${encryption}\n`,
  )
  await writeFile(
    join(folder, 'config'),
    [
      'poll_method epoll',
      'sip_listen 127.0.0.1:0',
      `audio_source aufile,${folder}/tone.wav`,
      'audio_player aubridge,nil',
      `audio_alert aufile,${folder}/tone.wav`,
      'net_interface 127.0.0.1',
      `snd_path ${folder}`,
      'module_path /usr/lib/baresip/modules',
      ...modules.map((name) => `module ${name}.so`),
      'module_tmp account.so',
      'module_app menu.so',
      '',
    ].join('\n'),
  )
  await writeFile(join(folder, 'contacts'), '')
  baresip = spawn('/usr/bin/baresip', ['-f', folder, '-e', `d sip:bellhop@127.0.0.1:${sip.address().port}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  for (;;) {
    const [bytes, from] = (await once(sip, 'message')) as [Buffer, { address: string; port: number }]
    const message = bytes.toString()
    if (!message.startsWith('INVITE ')) continue
    const created = await plane.media.createLeg({
      offer: message.slice(message.indexOf('\r\n\r\n') + 4),
      opus: true,
    })
    if (!created.ok) throw new Error(created.why)
    sip.send(accepted(message, created.sdp), from.port, from.address)
    return created.leg
  }
}

function tone(hz: number, seconds: number): Buffer {
  const samples = Buffer.from(sine(hz, seconds).buffer)
  return Buffer.concat([wavHeader(1, samples.length), samples])
}

/** At 48 kHz and in stereo: baresip does not convert what it plays. */
function wideTone(hz: number, seconds: number): Buffer {
  const mono = sine(hz, seconds, 48_000)
  const samples = Buffer.from(Int16Array.from({ length: mono.length * 2 }, (_, i) => mono[i >> 1]!).buffer)
  const header = wavHeader(2, samples.length)
  header.writeUInt32LE(48_000, 24)
  header.writeUInt32LE(48_000 * 4, 28)
  return Buffer.concat([header, samples])
}

/** Just enough SIP to accept a call, and to end it. */
function accepted(request: string, sdp: string): string {
  const header = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(request)![1]!
  return [
    'SIP/2.0 200 OK',
    `Via: ${header('Via')}`,
    `From: ${header('From')}`,
    `To: ${header('To').replace(/;tag=.*/, '')};tag=1`,
    `Call-ID: ${header('Call-ID')}`,
    `CSeq: ${header('CSeq')}`,
    `Contact: <sip:bellhop@127.0.0.1:${sip.address().port}>`,
    'Content-Type: application/sdp',
    `Content-Length: ${Buffer.byteLength(sdp)}`,
    '',
    sdp,
  ].join('\r\n')
}

/** baresip completes its file when it is told to quit. */
async function hangUp(): Promise<void> {
  const running = baresip
  baresip = undefined
  if (!running || running.exitCode !== null) return
  running.kill('SIGTERM')
  await once(running, 'exit')
}
