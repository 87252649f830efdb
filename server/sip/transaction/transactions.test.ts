import { describe, expect, test } from 'vitest'

import { FakeFlow, isResponse, readRequest } from '../../../test/harness/sip/fake-flow.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { respondTo, tagTo } from '../message/create.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { ServerTransaction } from './server-transaction.ts'
import { TIMEOUT_64_T1_MS } from './timers.ts'
import { Transactions } from './transactions.ts'

const from = (method: string, via = '') =>
  readRequest(`
${method} sip:bo@h SIP/2.0
${via}From: <sip:a@h>;tag=1
To: <sip:bo@h>
Call-ID: 1
CSeq: 1 ${method}`)

/** A request of ours has no Via until it is sent. */
function outgoing(method: string): SipRequest {
  const request = from(method, 'Via: SIP/2.0/UDP x\n')
  request.headers.set('via')
  return request
}

const incoming = (method: string, branch = 'z9hG4bKa') =>
  from(method, `Via: SIP/2.0/UDP h;branch=${branch}\n`)

function stage(protocol: 'udp' | 'tcp' | 'ws' = 'udp', room?: { max: number; reserved: number }) {
  const clock = createTestClock()
  const flow = new FakeFlow(protocol)
  const requests: ServerTransaction[] = []
  const acks: SipRequest[] = []
  let serial = 0
  const events = {
    request: (transaction: ServerTransaction) => void requests.push(transaction),
    ack: (request: SipRequest) => void acks.push(request),
  }
  const transactions = new Transactions(clock, () => `token${++serial}`, events, room)
  const start = clock.now().getTime()
  const responses: SipResponse[] = []
  const failures: { why: string; ms: number }[] = []
  const handlers = {
    response: (response: SipResponse) => void responses.push(response),
    failed: (why: string) => void failures.push({ why, ms: clock.now().getTime() - start }),
  }
  /** When messages were sent during the next `ms`, counted from the start. */
  const timesOverNext = (ms: number) => {
    const times: number[] = []
    for (let at = 0; at < ms; at += 100) {
      const before = flow.sent.length
      clock.advance(100)
      if (flow.sent.length > before) times.push(clock.now().getTime() - start)
    }
    return times
  }
  const answer = (status: number, tag = 'b') => {
    const request = flow.sent[0] as SipRequest
    const response = respondTo(request, status)
    tagTo(response, request, tag)
    transactions.receive(response, flow)
  }
  return { clock, flow, transactions, requests, acks, responses, failures, handlers, timesOverNext, answer }
}

describe('our request without a response', () => {
  test('is retransmitted over UDP at growing intervals if it is an INVITE', () => {
    const { transactions, flow, handlers, failures, timesOverNext } = stage()
    transactions.request(outgoing('INVITE'), flow, handlers)
    expect(timesOverNext(40_000)).toEqual([500, 1_500, 3_500, 7_500, 15_500, 31_500])
    expect(failures).toEqual([{ why: 'timeout', ms: TIMEOUT_64_T1_MS }])
    expect(transactions.count).toBe(0)
  })

  test('is retransmitted over UDP at least every 4 seconds if it is not an INVITE', () => {
    const { transactions, flow, handlers, failures, timesOverNext } = stage()
    transactions.request(outgoing('OPTIONS'), flow, handlers)
    const times = [500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
    expect(timesOverNext(40_000)).toEqual(times)
    expect(failures).toEqual([{ why: 'timeout', ms: TIMEOUT_64_T1_MS }])
    expect(transactions.count).toBe(0)
  })

  test.each(['INVITE', 'OPTIONS'])('is sent once over TCP and times out just as late: %s', (method) => {
    const { transactions, flow, handlers, failures, timesOverNext } = stage('tcp')
    transactions.request(outgoing(method), flow, handlers)
    expect(timesOverNext(40_000)).toEqual([])
    expect(failures).toEqual([{ why: 'timeout', ms: TIMEOUT_64_T1_MS }])
  })

  test('fails at once when its connection closes, and leaves nothing behind', () => {
    const { transactions, flow, handlers, failures } = stage('tcp')
    transactions.request(outgoing('INVITE'), flow, handlers)
    flow.isOpen = false
    transactions.flowClosed(flow)
    transactions.request(outgoing('OPTIONS'), flow, handlers)
    expect(failures).toEqual([
      { why: 'transport', ms: 0 },
      { why: 'transport', ms: 0 },
    ])
    expect(transactions.count).toBe(0)
  })
})

describe('our INVITE', () => {
  test('is not retransmitted after a provisional response, however long the final one takes', () => {
    const { transactions, flow, handlers, responses, failures, timesOverNext, answer } = stage()
    transactions.request(outgoing('INVITE'), flow, handlers)
    answer(100)
    expect(timesOverNext(120_000)).toEqual([])
    expect(responses.map(({ status }) => status)).toEqual([100])
    expect(failures).toEqual([])
  })

  test('that rings fails when its WebSocket closes, and waits for another connection otherwise', () => {
    const browser = stage('ws')
    browser.transactions.request(outgoing('INVITE'), browser.flow, browser.handlers)
    browser.answer(180)
    browser.transactions.flowClosed(browser.flow)
    expect(browser.failures).toEqual([{ why: 'transport', ms: 0 }])
    expect(browser.transactions.count).toBe(0)

    const phone = stage('tcp')
    phone.transactions.request(outgoing('INVITE'), phone.flow, phone.handlers)
    phone.answer(180)
    phone.transactions.flowClosed(phone.flow)
    phone.answer(200)
    expect(phone.failures).toEqual([])
    expect(phone.responses.map(({ status }) => status)).toEqual([180, 200])
  })

  test('sends an ACK for every copy of a non-2xx response, and reports it once', () => {
    const { transactions, flow, handlers, responses, clock, answer } = stage()
    transactions.request(outgoing('INVITE'), flow, handlers)
    answer(486)
    answer(486)
    const acks = flow.sent.slice(1) as SipRequest[]
    expect(acks.map(({ method }) => method)).toEqual(['ACK', 'ACK'])
    expect(acks[0]!.headers.get('via')).toBe(flow.sent[0]!.headers.get('via'))
    expect(acks[0]!.headers.get('to')).toContain('tag=b')
    expect(responses).toHaveLength(1)
    clock.advance(TIMEOUT_64_T1_MS)
    expect(transactions.count).toBe(0)
  })

  test('reports every copy of a 2xx, also from another branch, for 32 seconds', () => {
    const { transactions, flow, handlers, responses, clock, answer } = stage()
    transactions.request(outgoing('INVITE'), flow, handlers)
    answer(200, 'b')
    answer(200, 'b')
    answer(200, 'c')
    expect(responses).toHaveLength(3)
    expect(flow.sent).toHaveLength(1)
    clock.advance(TIMEOUT_64_T1_MS)
    answer(200, 'b')
    expect(responses).toHaveLength(3)
  })
})

describe('a request of a peer', () => {
  test('is delivered once; retransmissions get the last response again', () => {
    const { transactions, flow, requests, clock } = stage()
    transactions.receive(incoming('OPTIONS'), flow)
    transactions.receive(incoming('OPTIONS'), flow)
    expect(requests).toHaveLength(1)
    expect(flow.sent).toHaveLength(0)
    requests[0]!.respond(respondTo(requests[0]!.request, 200))
    transactions.receive(incoming('OPTIONS'), flow)
    expect(flow.sent).toHaveLength(2)
    clock.advance(TIMEOUT_64_T1_MS)
    transactions.receive(incoming('OPTIONS'), flow)
    expect(requests).toHaveLength(2)
  })

  test('gets a 100 Trying if it is an INVITE without an early response', () => {
    const { transactions, flow, clock } = stage()
    transactions.receive(incoming('INVITE'), flow)
    clock.advance(199)
    expect(flow.sent).toHaveLength(0)
    clock.advance(1)
    transactions.receive(incoming('INVITE'), flow)
    expect(flow.sent.filter(isResponse).map(({ status }) => status)).toEqual([100, 100])
  })

  test('gets its non-2xx response retransmitted over UDP until the ACK', () => {
    const { transactions, flow, requests, acks, timesOverNext } = stage()
    transactions.receive(incoming('INVITE'), flow)
    requests[0]!.respond(respondTo(requests[0]!.request, 486))
    expect(timesOverNext(12_000)).toEqual([500, 1_500, 3_500, 7_500, 11_500])
    transactions.receive(incoming('ACK'), flow)
    expect(timesOverNext(60_000)).toEqual([])
    expect(acks).toEqual([])
    expect(transactions.count).toBe(0)
  })

  test('gets one final response, whatever the transaction user sends later', () => {
    const { transactions, flow, requests } = stage()
    transactions.receive(incoming('INVITE'), flow)
    for (const status of [180, 486, 200, 180]) requests[0]!.respond(respondTo(requests[0]!.request, status))
    expect(flow.sent.filter(isResponse).map(({ status }) => status)).toEqual([180, 486])
  })

  test('is refused when there are too many, unless it belongs to an existing call', () => {
    const { clock, flow, requests, transactions } = stage('udp', { max: 10, reserved: 2 })
    const statuses = () => flow.sent.filter(isResponse).map(({ status }) => status)
    for (let i = 0; i < 10; i++) transactions.receive(incoming('OPTIONS', `z9hG4bK${i}`), flow)
    expect(requests).toHaveLength(10)
    transactions.receive(incoming('INVITE', 'z9hG4bKnew'), flow)
    expect(statuses()).toEqual([503])
    const bye = incoming('BYE', 'z9hG4bKbye')
    bye.headers.set('to', '<sip:bo@h>;tag=2')
    transactions.receive(bye, flow)
    transactions.receive(incoming('CANCEL', 'z9hG4bKcancel'), flow)
    expect(requests.slice(10).map(({ request }) => request.method)).toEqual(['BYE', 'CANCEL'])
    transactions.receive(incoming('CANCEL', 'z9hG4bKbeyond'), flow)
    expect(statuses()).toEqual([503, 503])
    for (const transaction of requests) transaction.respond(respondTo(transaction.request, 200))
    clock.advance(TIMEOUT_64_T1_MS)
    transactions.receive(incoming('INVITE', 'z9hG4bKlater'), flow)
    expect(requests.at(-1)!.request.method).toBe('INVITE')
  })

  test('passes the ACK of a 2xx to the dialog', () => {
    const { transactions, flow, requests, acks } = stage()
    transactions.receive(incoming('INVITE'), flow)
    requests[0]!.respond(respondTo(requests[0]!.request, 200))
    transactions.receive(incoming('ACK', 'z9hG4bKb'), flow)
    transactions.receive(incoming('ACK'), flow)
    expect(acks).toHaveLength(2)
  })

  test('is found by its CANCEL, and by the rules of RFC 2543 without a branch', () => {
    const { transactions, flow, requests } = stage()
    transactions.receive(incoming('INVITE'), flow)
    expect(transactions.inviteOf(incoming('CANCEL'))).toBe(requests[0])
    expect(transactions.inviteOf(incoming('CANCEL', 'z9hG4bKother'))).toBeUndefined()
    transactions.receive(from('INVITE', 'Via: SIP/2.0/UDP old\n'), flow)
    transactions.receive(from('INVITE', 'Via: SIP/2.0/UDP old\n'), flow)
    expect(requests).toHaveLength(2)
    expect(transactions.inviteOf(from('CANCEL', 'Via: SIP/2.0/UDP old\n'))).toBe(requests[1])
  })
})

describe('a transaction is kept for late retransmissions', () => {
  type Stage = ReturnType<typeof stage>
  const ask = (method: string, status: number) => (at: Stage) => {
    at.transactions.request(outgoing(method), at.flow, at.handlers)
    at.answer(status)
  }
  const serve = (method: string, status: number) => (at: Stage) => {
    at.transactions.receive(incoming(method), at.flow)
    at.requests[0]!.respond(respondTo(at.requests[0]!.request, status))
  }
  const serveAndHearAck = (at: Stage) => {
    serve('INVITE', 486)(at)
    at.transactions.receive(incoming('ACK'), at.flow)
  }

  /** RFC 3261, table 4, and RFC 6026 §8.4 and §8.5. */
  test.each([
    ['D', 'our INVITE that was refused', ask('INVITE', 486), 32_000, 0],
    ['M', 'our INVITE that was accepted', ask('INVITE', 200), 32_000, 32_000],
    ['K', 'another request of ours', ask('OPTIONS', 200), 5_000, 0],
    ['H', 'an INVITE that we refused, without its ACK', serve('INVITE', 486), 32_000, 32_000],
    ['I', 'an INVITE that we refused, after its ACK', serveAndHearAck, 5_000, 0],
    ['L', 'an INVITE that we accepted', serve('INVITE', 200), 32_000, 32_000],
    ['J', 'another request that we answered', serve('OPTIONS', 200), 32_000, 0],
  ])('by timer %s: %s', (_, __, prepare, udpMs, tcpMs) => {
    for (const [protocol, expectedMs] of [['udp', udpMs] as const, ['tcp', tcpMs] as const]) {
      const at = stage(protocol)
      prepare(at)
      at.clock.advance(0)
      let ms = 0
      for (; at.transactions.count > 0 && ms < 60_000; ms += 100) at.clock.advance(100)
      expect([protocol, ms]).toEqual([protocol, expectedMs])
    }
  })
})
