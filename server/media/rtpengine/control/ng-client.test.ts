import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { describe, expect, onTestFinished, test } from 'vitest'

import { startRtpengine } from '../../../../test/harness/sound/rtpengine.ts'
import { createTestClock } from '../../../../test/harness/test-clock.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { createNgClient, NgFailed } from './ng-client.ts'

const log = createLog({ level: 'warn' })

describe('the control protocol of rtpengine', () => {
  test('is understood by the real one', async () => {
    const { address } = await startRtpengine()
    const client = open(address)
    expect(await client.request('ping')).toEqual({ result: 'pong' })
    const sdp =
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9000 RTP/AVP 8\r\n'
    const call = { 'call-id': 'one', 'from-tag': 'a' }
    expect(await client.request('offer', { ...call, sdp })).toMatchObject({
      result: 'ok',
      sdp: expect.stringMatching(/^m=audio \d+ RTP\/AVP 8\r$/m),
    })
    expect(await client.request('delete', { ...call, 'delete-delay': 0 })).toMatchObject({ result: 'ok' })
    await expect(client.request('query', call)).rejects.toMatchObject({
      why: 'refused',
      message: expect.stringContaining('Unknown call-id'),
    })
  })

  test('sends a request again until it is answered, and gives up after a while', async () => {
    const clock = createTestClock()
    const peer = createSocket('udp4').bind(0, '127.0.0.1')
    await once(peer, 'listening')
    onTestFinished(() => void peer.close())
    const client = open({ host: '127.0.0.1', port: peer.address().port }, clock)
    const heard: string[] = []
    peer.on('message', (bytes) => heard.push(bytes.toString()))
    const reply = client.request('ping')
    await once(peer, 'message')
    clock.advance(200)
    const [bytes, from] = (await once(peer, 'message')) as [Buffer, { port: number }]
    expect(heard).toEqual([heard[0], heard[0]])
    peer.send(`${bytes.toString().split(' ')[0]} {"result":"pong"}`, from.port, '127.0.0.1')
    expect(await reply).toEqual({ result: 'pong' })

    const inVain = client.request('ping')
    const failure = expect(inVain).rejects.toMatchObject({ why: 'timeout' })
    clock.advance(3_000)
    await failure
    await expect.poll(() => new Set(heard).size).toBe(2)
  })

  test('ends what is under way when it is closed', async () => {
    const client = open({ host: '127.0.0.1', port: 9 })
    const failure = expect(client.request('ping')).rejects.toBeInstanceOf(NgFailed)
    client.close()
    client.close()
    await failure
    await expect(client.request('ping')).rejects.toMatchObject({ why: 'closed' })
  })
})

function open(address: { host: string; port: number }, clock = systemClock) {
  const client = createNgClient(address, { clock, log })
  onTestFinished(() => client.close())
  return client
}
