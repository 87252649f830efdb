import { expect, inject, onTestFinished, test, vi } from 'vitest'

import { harness } from '../../../test/harness/index.ts'
import { startPostgresProxy } from '../../../test/harness/processes/postgres-proxy.ts'
import { openPubSub, publish } from './pubsub.ts'

const { db, parts } = await harness()
const server = inject('postgres')
const proxy = await startPostgresProxy(`${server.host}/.s.PGSQL.${server.port}`)
const { database } = db.address as { database: string }

function open() {
  const pubsub = openPubSub({ ...proxy.address, user: server.user, database }, parts.log)
  onTestFinished(() => pubsub.close())
  return pubsub
}

function newListener() {
  const heard: string[] = []
  let gaps = 0
  return { heard, gaps: () => gaps, onMessage: (id: string) => heard.push(id), onGap: () => gaps++ }
}

const PATIENCE = { timeout: 30_000 }

test('a channel whose LISTEN failed can be subscribed again, and delivers once', async () => {
  const pubsub = open()
  const listener = newListener()
  proxy.garble('listen', 1)
  await expect(pubsub.subscribe('test_again', listener)).rejects.toMatchObject({ code: '42601' })
  await pubsub.subscribe('test_again', listener)
  await publish(db.sql, 'test_again', 'a')
  await publish(db.sql, 'test_again', 'b')
  await vi.waitFor(() => expect(listener.heard).toContain('b'), PATIENCE)
  expect(listener.heard).toEqual(['a', 'b'])
})

test('a LISTEN that fails after a reconnection is retried, and listeners are notified of the gap', async () => {
  const pubsub = open()
  const [one, other] = [newListener(), newListener()]
  await pubsub.subscribe('test_one', one)
  await pubsub.subscribe('test_other', other)
  proxy.garble('listen', 2)
  proxy.cut()()
  await vi.waitFor(() => {
    expect(one.gaps()).toBe(2)
    expect(other.gaps()).toBe(2)
  }, PATIENCE)
  await publish(db.sql, 'test_one', 'a')
  await publish(db.sql, 'test_other', 'b')
  await vi.waitFor(() => expect([one.heard, other.heard]).toEqual([['a'], ['b']]), PATIENCE)
})

test('a listener that throws does not affect other listeners, nor the next notification', async () => {
  const pubsub = open()
  const listener = newListener()
  const bad = {
    onMessage: () => {
      throw new Error('the test hears badly')
    },
    onGap: () => {},
  }
  await pubsub.subscribe('test_bad', bad)
  await pubsub.subscribe('test_bad', listener)
  await publish(db.sql, 'test_bad', 'a')
  await publish(db.sql, 'test_bad', 'b')
  await vi.waitFor(() => expect(listener.heard).toEqual(['a', 'b']), PATIENCE)
})
