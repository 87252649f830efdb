import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'
import { startProcessConversation } from '../harness/calls/process-conversation.ts'
import { newFolder, type Service, until } from '../harness/processes/bellhop-process.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'

const BELLHOP_SECRET = 'a secret of all processes of the test'
const phoneSystem = await openPhoneSystem({ BELLHOP_SECRET })
const { bellhop, dial } = phoneSystem

/** A module that runs before the program, in each of its threads. On a signal, one of them does what a bug would. */
const bugIn = (thread: 'main' | 'media', code: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import { BroadcastChannel, isMainThread } from 'node:worker_threads'
    import { existsSync, writeFileSync } from 'node:fs'
    const signals = new BroadcastChannel('signals')
    signals.unref()
    const run = () => { ${code} }
    if (isMainThread) process.on('SIGUSR2', () => ${thread === 'main' ? 'run()' : 'signals.postMessage(0)'})
    else if (${thread === 'media'}) signals.onmessage = run
  `)}`

/** Blocks the thread that runs it, without using the CPU. */
const sleep = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`

/** Blocks signalling until the test has seen enough. */
async function blockOfSignalling() {
  const folder = await newFolder()
  const [begun, enough] = [join(folder, 'begun'), join(folder, 'enough')]
  const end = () => writeFile(enough, '')
  onTestFinished(end)
  const code = `writeFileSync('${begun}', ''); while (!existsSync('${enough}')) ${sleep(10)}`
  return {
    preload: bugIn('main', code),
    async begin(edge: Service) {
      edge.signal('SIGUSR2')
      await until(() => existsSync(begun))
    },
    end,
  }
}

const talking = (preload: string) => startProcessConversation(phoneSystem, { BELLHOP_SECRET }, { preload })

/** Packets that were lost between the first and the last of these. */
const lost = (heard: { packet: { header: { sequenceNumber: number } } }[]) => {
  const numbers = heard.map(({ packet }) => packet.header.sequenceNumber)
  return ((numbers.at(-1)! - numbers[0]!) & 0xffff) + 1 - numbers.length
}

test('while signalling is blocked, a conversation and the music of a waiting caller continue without a gap', async () => {
  const block = await blockOfSignalling()
  const { edge, number, customer, phone } = await talking(block.preload)
  const waiting = await dial(number, { over: 'process', from: '+4520112244' })
  await waiting.connected()
  await waiting.until('the music', () => waiting.heard.length > 0)

  await block.begin(edge)
  const begins = [customer, phone, waiting].map(({ heard }) => heard.length)
  customer.say(500)
  phone.say(900)
  await Promise.all([customer.hears(900), phone.hears(500)])
  const music = waiting.heard.length
  await waiting.until('a second of music', () => waiting.heard.length > music + 50)
  for (const [i, { heard }] of [customer, phone, waiting].entries())
    expect(lost(heard.slice(begins[i]))).toBe(0)

  await block.end()
  phone.hangUp()
  await customer.ended()
})

test('an unhandled error in the thread of the media ends no call: nothing new is taken, and the process exits after the last', async () => {
  const { edge, company, number, customer, phone } = await talking(
    bugIn('media', 'Promise.reject(new Error("a bug of the test"))'),
  )
  edge.signal('SIGUSR2')
  await eventually(async () => expect((await fetch(`${edge.url}/readyz`)).status).toBe(503))
  await eventually(() => expect(edge.stderr()).toContain('a bug of the test'))
  const refused = await dial(number, { over: 'process' })
  expect(await refused.ended()).toMatchObject({ why: 'refused', status: 503 })
  phone.say(900)
  await Promise.all([customer.hears(900), phone.hears(440)])
  phone.hangUp()
  await customer.ended()
  expect(await edge.ended).toBe(1)
  await callIs(company, 'ended')
  await expectNoLiveRows(bellhop)
})

test('a process whose media thread died exits at once, and another process ends its calls', async () => {
  const { edge, company } = await talking(bugIn('media', 'process.exit(7)'))
  edge.signal('SIGUSR2')
  expect(await edge.ended).toBe(1)
  expect(edge.stderr()).toContain('The media thread died: it exited with 7')
  await callIs(company, 'ended')
  await expectNoLiveRows(bellhop)
})

test('a blocked media thread is logged and measured', async () => {
  const { edge, customer } = await talking(bugIn('media', sleep(300)))
  edge.signal('SIGUSR2')
  await eventually(() => expect(edge.stderr()).toContain('the event loop'))
  await eventually(async () => {
    const metrics = await (await fetch(`${edge.url}/metrics`)).text()
    const [, count] = /^bellhop_thread_delay_seconds_count\{thread="media"\} (\d+)/m.exec(metrics)!
    const [, below] = /^bellhop_thread_delay_seconds_bucket\{le="0.2",thread="media"\} (\d+)/m.exec(metrics)!
    expect(Number(count)).toBeGreaterThan(Number(below))
  })
  customer.hangUp()
})
