import { describe, expect, test } from 'vitest'

import { createLatch, type Latch } from './latch.ts'

const SIGNALLED = { address: '198.51.100.7', port: 4_000 }
const ROUTER = { address: '198.51.100.7', port: 61_000 }
const NAT = { address: '203.0.113.9', port: 50_000 }
const UNKNOWN = { address: '192.0.2.66', port: 666 }

describe('the target address of media', () => {
  test('is the address in SDP until a packet arrives', () => {
    expect(aimed().target).toEqual(SIGNALLED)
    expect(createLatch().target).toBeUndefined()
  })

  test('follows the first packet from the signalled host, even from another port', () => {
    const latch = aimed()
    expect(accepts(latch, ROUTER, 1)).toEqual([true])
    expect(latch.target).toEqual(ROUTER)
  })

  test('follows an unknown host only after several packets in a row', () => {
    const latch = aimed()
    expect(accepts(latch, NAT, 1, 2, 3, 4)).toEqual([false, false, true, true])
    expect(latch.target).toEqual(NAT)
    expect(accepts(aimed(), NAT, 1, 9, 4, 70)).toEqual([false, false, false, false])
  })

  test('cannot be hijacked by an unknown sender', () => {
    const latch = aimed()
    accepts(latch, SIGNALLED, 1)
    expect(accepts(latch, UNKNOWN, 2, 3, 4, 5, 6, 7)).toEqual(Array(6).fill(false))
    expect(accepts(latch, { ...SIGNALLED, port: 4_002 }, 2, 3, 4)).toEqual([false, false, false])
    expect(latch.target).toEqual(SIGNALLED)
  })

  test('returns from an unknown sender that was first as soon as the signalled address sends', () => {
    const latch = aimed()
    accepts(latch, UNKNOWN, 1, 2, 3)
    expect(latch.target).toEqual(UNKNOWN)
    expect(accepts(latch, SIGNALLED, 1)).toEqual([true])
    expect(accepts(latch, UNKNOWN, 4, 5, 6, 7)).toEqual(Array(4).fill(false))
    expect(latch.target).toEqual(SIGNALLED)
  })

  test('changes with a new address in SDP, and not if the address is repeated', () => {
    const latch = aimed()
    accepts(latch, ROUTER, 1)
    latch.aim({ ...SIGNALLED })
    expect(latch.target).toEqual(ROUTER)
    latch.aim(NAT)
    expect(latch.target).toEqual(NAT)
    expect(accepts(latch, ROUTER, 2)).toEqual([false])
    expect(accepts(latch, NAT, 2)).toEqual([true])
  })

  test('follows authenticated packets, and no others move it back', () => {
    const latch = aimed()
    accepts(latch, SIGNALLED, 1)
    latch.proven(NAT)
    expect(latch.target).toEqual(NAT)
    expect(accepts(latch, SIGNALLED, 2, 3, 4)).toEqual([false, false, false])
    expect(latch.target).toEqual(NAT)
  })
})

function aimed(): Latch {
  const latch = createLatch()
  latch.aim(SIGNALLED)
  return latch
}

function accepts(latch: Latch, from: { address: string; port: number }, ...sequences: number[]): boolean[] {
  return sequences.map((sequence) => latch.accepts(from, { ssrc: 1, sequence }))
}
