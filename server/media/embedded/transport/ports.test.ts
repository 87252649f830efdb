import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { afterEach, describe, expect, test } from 'vitest'

import { freePorts } from '../../../../test/harness/processes/ports.ts'
import { type MediaPlane, openMediaPlane } from '../../../../test/harness/sound/media-plane.ts'
import { createPortPool } from './ports.ts'

let plane: MediaPlane | undefined
afterEach(() => plane?.close())

describe('media ports', () => {
  test('come from the range in even and odd pairs, and are free again after the call', async () => {
    const first = await freePorts(6)
    plane = openMediaPlane({ ports: { from: first + 1, to: first + 5 } })
    const calls = [await plane.call(), await plane.call()]
    const ports = calls.map(({ sdp }) => Number(/^m=audio (\d+)/m.exec(sdp)![1]))
    expect(ports.toSorted((a, b) => a - b)).toEqual([first + 2, first + 4])
    await expect(plane.call()).rejects.toMatchObject({ why: 'no_ports' })
    await plane.media.close(calls[0]!.leg)
    expect((await plane.call()).sdp).toContain(`m=audio ${ports[0]} `)
  })

  test('that are in use are skipped', async () => {
    const first = await freePorts(4)
    const other = createSocket('udp4')
    other.bind(first + 1, '127.0.0.1')
    await once(other, 'listening')
    try {
      const pair = await createPortPool([{ host: '127.0.0.1' }], { from: first, to: first + 3 }).openPair()
      expect(pair.port).toBe(first + 2)
      pair.rtp.close()
      pair.rtcp.close()
    } finally {
      other.close()
    }
  })

  test('have one number for both families, and are of the family that is asked for', async () => {
    const first = await freePorts(4)
    const addresses = [{ host: '127.0.0.1' }, { host: '::1', advertised: '2001:db8::1' }]
    const pool = createPortPool(addresses, { from: first, to: first + 3 })
    const pairs = [await pool.openPair(6), await pool.openPair(4)]
    expect(pairs).toMatchObject([
      { family: 6, address: '2001:db8::1', port: first },
      { family: 4, address: '127.0.0.1', port: first + 2 },
    ])
    expect(pool.usage()).toEqual({ inUse: 4, total: 4 })
    await expect(pool.openPair(6)).rejects.toMatchObject({ why: 'no_ports' })
    for (const { rtp, rtcp } of pairs) {
      rtp.close()
      rtcp.close()
    }
  })

  test('of a family that is not there are of the default one', async () => {
    const first = await freePorts(2)
    const pool = createPortPool([{ host: '127.0.0.1' }], { from: first, to: first + 1 })
    const { family, rtp, rtcp } = await pool.openPair(6)
    expect(family).toBe(4)
    rtp.close()
    rtcp.close()
  })

  test('on an address of another machine are an error at once', async () => {
    const pool = createPortPool([{ host: '192.0.2.1' }], { from: 19_020, to: 19_029 })
    await expect(pool.openPair()).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
  })
})
