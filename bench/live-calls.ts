/**
 * Aim: the whole service, with SIP, PostgreSQL, events and the load generator on the same two cores, takes calls of one
 * company through welcome, queue, answer, bridge and hang-up; the ratio compares with calls that our SIP library alone
 * answers, one leg without any sound. And: so many calls at once are bridged and recorded, no packet lost, and the
 * ratio compares the CPU of the service with that of the media plane alone, which only bridges. Both goals are no claims
 * but floors, put below the first measurements, so that a loss of speed is noticed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { systemClock } from '../server/platform/clock.ts'
import { createLog } from '../server/platform/log.ts'
import { type CallEvent, type IncomingCall, type OutgoingCall, UserAgent } from '../server/sip/index.ts'
import { type Crowd, startCrowd } from './crowd.ts'
import { type Bench, compare, type Contender } from './measure.ts'
import { onStage } from './stage.ts'
import { openTelephoneOffice, portOf, sdpAt, type TelephoneOffice } from './telephone-office.ts'

const CALLS = { lines: 30, recorded: 50 }
const PACE = { warmUpMs: 4_000, roundMs: 3_000, rounds: 4 }
const TALK_PACE = { warmUpMs: 2_000, roundMs: 2_000, rounds: 5 }

type Close = () => Promise<void> | void

export const liveCalls: Bench = {
  name: 'live-calls',
  run: () =>
    onStage(async (stage) => {
      const children: ChildProcess[] = []
      const closes: Close[] = []
      try {
        const office = await openTelephoneOffice(stage, { plain: CALLS.lines, recorded: CALLS.recorded })
        closes.push(() => office.close())
        const bare = await bareCalls(children, closes)
        const rate = await compare(await wholeCalls(office, closes), bare, PACE)
        const recorded = await recordedCalls(office, closes)
        const relayed = await relayedCalls(children, closes)
        const cpu = await compare(recorded, relayed, TALK_PACE)
        return [
          {
            what: 'calls through welcome, queue, answer, bridge and hang-up, calls/s',
            sides: ['Bellhop:', 'SIP alone:'],
            goal: 0.02,
            ...rate,
          },
          {
            what: `calls a core can bridge and record (${CALLS.recorded} at once, none lost)`,
            sides: ['Bellhop:', 'bridging alone:'],
            goal: 0.3,
            ...cpu,
          },
        ]
      } finally {
        for (const close of closes) await close()
        for (const child of children) child.kill('SIGTERM')
      }
    }),
}

const ended = (call: OutgoingCall | IncomingCall) =>
  new Promise<void>((resolve) =>
    call.listen((event: CallEvent) => void (event.type === 'ended' && resolve())),
  )

/** Every line has a caller who calls again as soon as the call is over; they hang up when an employee has answered. */
async function wholeCalls(office: TelephoneOffice, closes: Close[]): Promise<Contender> {
  const sink = createSocket('udp4').bind(0, '127.0.0.1')
  await once(sink, 'listening')
  const { port } = sink.address()
  closes.push(() => void sink.close())
  const connected: (() => void)[] = []
  const over: Promise<void>[] = []
  office.onTaken((line, call) => {
    over[line] = new Promise((resolve) =>
      call.listen((event) => {
        if (event.type === 'connected') connected[line]!()
        if (event.type === 'ended') resolve()
      }),
    )
    return port
  })
  return async (ms) => {
    const start = performance.now()
    let done = 0
    const callAgain = async (line: number) => {
      while (performance.now() - start < ms) {
        const isTaken = new Promise<void>((resolve) => (connected[line] = resolve))
        const call = office.dial(line, port)
        const isOver = ended(call)
        const isRefused = await Promise.race([isTaken.then(() => false), isOver.then(() => true)])
        if (isRefused) throw new Error('a call was not taken')
        call.hangUp()
        await Promise.all([isOver, over[line]])
        done++
      }
    }
    await Promise.all(Array.from({ length: CALLS.lines }, (_, line) => callAgain(line)))
    return (done / (performance.now() - start)) * 1_000
  }
}

/** The same with our SIP library alone, which answers at once. */
async function bareCalls(children: ChildProcess[], closes: Close[]): Promise<Contender> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'sip-calls.ours.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const agent = new UserAgent({
    clock: systemClock,
    log: createLog({ level: 'warn' }),
    realm: 'bench',
    secret: Buffer.from('bench'),
    accounts: { find: () => Promise.resolve(undefined) },
    onInvite: (call) => call.reject(404),
  })
  await agent.listen({ protocol: 'udp', host: '127.0.0.1', port: 0 })
  closes.push(() => agent.close())
  const from = {
    uri: { scheme: 'sip' as const, user: 'bench', host: '127.0.0.1', params: new Map() },
    params: new Map(),
  }
  return async (ms) => {
    const start = performance.now()
    let done = 0
    const callAgain = async () => {
      while (performance.now() - start < ms) {
        const call = agent.invite({ to: 'uri', uri: `sip:bench@127.0.0.1:${port}` }, { from, body: sdpAt(9) })
        await new Promise<void>((resolve) =>
          call.listen((event) => {
            if (event.type === 'answered') call.hangUp()
            if (event.type === 'ended') resolve()
          }),
        )
        done++
      }
    }
    await Promise.all(Array.from({ length: CALLS.lines }, callAgain))
    return (done / (performance.now() - start)) * 1_000
  }
}

/** All lines talk at once, over the whole bench, and each packet must arrive. */
async function recordedCalls(office: TelephoneOffice, closes: Close[]): Promise<Contender> {
  const crowd = await startCrowd(CALLS.recorded)
  closes.push(() => crowd.close())
  const ports: number[] = []
  const taken: Promise<void>[] = []
  const tell: (() => void)[] = []
  for (let line = 0; line < CALLS.recorded; line++) taken.push(new Promise((resolve) => tell.push(resolve)))
  office.onTaken((each, call) => {
    const line = each - CALLS.lines
    ports[line * 2 + 1] = portOf(call.body!)
    call.listen((event) => void (event.type === 'connected' && tell[line]!()))
    return crowd.ports[line * 2 + 1]!
  })
  for (let line = 0; line < CALLS.recorded; line++) {
    office.dial(CALLS.lines + line, crowd.ports[line * 2]!).listen((event) => {
      if (event.type === 'answered') ports[line * 2] = portOf(event.body!)
    })
  }
  await Promise.all(taken)
  crowd.connect(ports)
  return (ms) => talk(crowd, () => office.cpuMs(), ms)
}

async function relayedCalls(children: ChildProcess[], closes: Close[]): Promise<Contender> {
  const crowd = await startCrowd(CALLS.recorded)
  closes.push(() => crowd.close())
  const file = join(import.meta.dirname, 'bridged-calls.media.js')
  const child = spawn(process.execPath, [file, JSON.stringify(crowd.ports)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.push(child)
  const ask = async (question: string): Promise<unknown> => {
    const answer = once(child, 'message')
    child.send(question)
    return (await answer)[0]
  }
  crowd.connect((await ask('ports')) as number[])
  return (ms) => talk(crowd, async () => (await ask('cpu')) as number, ms)
}

/** How many such calls a core would carry. */
async function talk(crowd: Crowd, cpuMs: () => Promise<number>, ms: number): Promise<number> {
  const before = await cpuMs()
  const start = performance.now()
  const { sent, delaysMs } = await crowd.talk(ms)
  const elapsedMs = performance.now() - start
  if (delaysMs.length < sent) throw new Error(`${sent - delaysMs.length} of ${sent} packets were lost`)
  return (CALLS.recorded * elapsedMs) / ((await cpuMs()) - before)
}
