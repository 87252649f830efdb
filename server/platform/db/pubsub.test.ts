import { expect, inject, onTestFinished, test, vi } from 'vitest'

import { harness } from '../../../test/harness/index.ts'
import { startPostgresProxy } from '../../../test/harness/processes/postgres-proxy.ts'
import { untilWaiting } from '../../../test/harness/routes/insert-barrier.ts'
import { connect } from './database.ts'
import { publishToFollowers } from './followers.ts'
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

/** Of a topic that no other test uses. */
const tellFollowers = (topic: string, text: string) =>
  db.tx((tx) => publishToFollowers(tx, topic, 'test_topics', [text]))

test('what is published to the followers of a topic reaches processes while they follow it, and no others', async () => {
  const [one, other] = [open(), open()]
  const [listener, elsewhere] = [newListener(), newListener()]
  await one.subscribe('test_topics', listener)
  await other.subscribe('test_topics', elsewhere)
  await tellFollowers('apples', 'a')
  const leave = await one.follow('apples')
  const leaveToo = await one.follow('apples')
  await tellFollowers('apples', 'b')
  leave()
  leave()
  await tellFollowers('apples', 'c')
  leaveToo()
  // Leaving takes effect in the background.
  await vi.waitFor(async () => {
    const before = listener.heard.length
    await tellFollowers('apples', 'd')
    await publish(db.sql, 'test_topics', 'mark')
    await vi.waitFor(() => expect(listener.heard.slice(before)).toContain('mark'), PATIENCE)
    expect(listener.heard.slice(before)).not.toContain('d')
  }, PATIENCE)
  expect(listener.heard.slice(0, 2)).toEqual(['b', 'c'])
  expect(elsewhere.heard.slice(0, 2)).toEqual(['b', 'c'])
})

test('whoever begins to follow waits for the transactions that nobody heard of, and reads what they changed', async () => {
  await db.sql`create table changed_topics (name text)`
  const pubsub = open()
  await pubsub.subscribe('test_topics', newListener())
  const { following } = await db.tx(async (tx) => {
    await publishToFollowers(tx, 'pears', 'test_topics', ['a'])
    const following = pubsub.follow('pears').then(() => db.sql`select name from changed_topics`)
    await untilWaiting(tx, 1)
    await tx`insert into changed_topics (name) values ('pears')`
    return { following }
  })
  expect(await following).toEqual([{ name: 'pears' }])
})

test('a process follows the same topics after it lost its connection', async () => {
  const pubsub = open()
  const listener = newListener()
  await pubsub.subscribe('test_topics', listener)
  await pubsub.follow('plums')
  proxy.cut()()
  await vi.waitFor(() => expect(listener.gaps()).toBe(2), PATIENCE)
  await tellFollowers('plums', 'a')
  await vi.waitFor(() => expect(listener.heard).toContain('a'), PATIENCE)
})

test('a process of an earlier release, which follows nothing, still receives everything', async () => {
  const name = 'bellhop api secret=00'
  const earlier = connect(db.address, { max: 1, application_name: name })
  await earlier`select`
  const pubsub = open()
  const listener = newListener()
  await pubsub.subscribe('test_topics', listener)
  await tellFollowers('cherries', 'a')
  await vi.waitFor(() => expect(listener.heard).toContain('a'), PATIENCE)
  await earlier.end()
  // Its session ends a moment later.
  await vi.waitFor(async () => {
    const sessions = await db.sql`select from pg_stat_activity where application_name = ${name}`
    expect(sessions).toHaveLength(0)
  }, PATIENCE)
  // The next one to connect finds none.
  await pubsub.close()
  const next = open()
  const later = newListener()
  await next.subscribe('test_topics', later)
  await tellFollowers('cherries', 'b')
  await publish(db.sql, 'test_topics', 'mark')
  await vi.waitFor(() => expect(later.heard).toContain('mark'), PATIENCE)
  expect(later.heard).toEqual(['mark'])
})
