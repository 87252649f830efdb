import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { type S3Server, startS3Server } from '../../../test/harness/peers/s3-server.ts'
import { systemClock } from '../../platform/clock.ts'
import { storageContract } from './contract.ts'
import { type S3Options, s3Storage } from './s3.ts'

let server: S3Server

beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.stop())

const bytes = Buffer.from('abcdefghij')

describe('files stored in a bucket', () => {
  storageContract(async () => s3Storage(await server.newBucket(), systemClock))

  test('are stored under their own keys, and nothing else is', async () => {
    const bucket = await server.newBucket()
    const storage = s3Storage(bucket, systemClock)
    await storage.put('recordings/com_1/a.wav', bytes)
    await storage.put('prompts/b-1_2.wav', bytes)
    expect(await server.keysIn(bucket)).toEqual(['prompts/b-1_2.wav', 'recordings/com_1/a.wav'])
  })

  test('are found with and without a trailing slash in the URL', async () => {
    const bucket = await server.newBucket()
    await s3Storage(bucket, systemClock).put('a', bytes)
    const slashed = s3Storage({ ...bucket, endpoint: `${bucket.endpoint}//` }, systemClock)
    expect(await slashed.size('a')).toBe(10)
  })

  test.each<[string, Partial<S3Options>, string]>([
    ['secret', { secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
    ['key id', { accessKeyId: 'bell:wrong' }, '403'],
    ['region', { region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
  ])('cannot be accessed with a wrong %s, and the error says why', async (_, wrong, why) => {
    const bucket = await server.newBucket()
    await s3Storage(bucket, systemClock).put('a', bytes)
    const storage = s3Storage({ ...bucket, ...wrong }, systemClock)
    await expect(storage.put('a', Buffer.from('changed'))).rejects.toThrow(why)
    await expect(storage.size('a')).rejects.toThrow(/S3 answered 40[03] to HEAD a/)
    await expect(storage.read('a')).rejects.toThrow(why)
    await expect(storage.remove('a')).rejects.toThrow(why)
    expect(await text(await s3Storage(bucket, systemClock).read('a'))).toBe('abcdefghij')
  })

  test('cannot be put into or removed from a bucket that does not exist', async () => {
    const bucket = { ...(await server.newBucket()), bucket: 'never-made' }
    const storage = s3Storage(bucket, systemClock)
    await expect(storage.put('a', bytes)).rejects.toThrow('NoSuchBucket')
    await expect(storage.read('a')).rejects.toThrow('NoSuchBucket')
    await expect(storage.remove('a')).rejects.toThrow('no bucket never-made')
  })

  test('cannot be reached while the service is down', async () => {
    const own = await startS3Server()
    const storage = s3Storage(await own.newBucket(), systemClock)
    await storage.put('a', bytes)
    await own.stop()
    await expect(storage.put('b', bytes)).rejects.toThrow()
    await expect(storage.size('a')).rejects.toThrow('ECONNREFUSED')
    await expect(storage.read('a')).rejects.toThrow('ECONNREFUSED')
    await expect(storage.remove('a')).rejects.toThrow('ECONNREFUSED')
  })
})

describe('a failing service', () => {
  const SHORT = { answerMs: 200, silenceMs: 200, attempts: 3, pauseMs: 1, complaintCharacters: 300 }
  const started: Server[] = []

  afterEach(async () => {
    for (const server of started.splice(0)) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  /** Real services cannot be made to fail, so these responses are written by hand. */
  async function storageOf(answer: Parameters<typeof createServer>[1], limits = SHORT) {
    const server = createServer(answer).listen(0, '127.0.0.1')
    started.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const keys = { accessKeyId: 'id', secretAccessKey: 'secret' }
    return s3Storage({ endpoint, bucket: 'b1', region: 'r', ...keys }, systemClock, limits)
  }

  test('that is busy for a moment is retried, and the file arrives complete', async () => {
    const seen: string[] = []
    const storage = await storageOf(async (request, response) => {
      seen.push((await buffer(request)).toString())
      response.writeHead(seen.length < 3 ? 503 : 200).end('<Code>SlowDown</Code>')
    })
    await storage.put('a', bytes)
    expect(seen).toEqual(['abcdefghij', 'abcdefghij', 'abcdefghij'])
  })

  test('that is busy in the middle of a recording gets it again from the beginning', async () => {
    const seen: string[] = []
    const storage = await storageOf(async (request, response) => {
      seen.push((await buffer(request)).toString())
      response.writeHead(seen.length < 3 ? 503 : 200).end('<Code>SlowDown</Code>')
    })
    await storage.putFile('a', import.meta.filename)
    const content = await readFile(import.meta.filename, 'utf8')
    expect(seen).toEqual([content, content, content])
  })

  test('that reads a recording more slowly than it may respond gets all of it', async () => {
    const PARTS = 8
    const PART_BYTES = 16_000_000
    const folder = await mkdtemp(join(tmpdir(), 'bellhop-upload-'))
    const file = join(folder, 'recording.wav')
    await writeFile(file, '')
    await truncate(file, PARTS * PART_BYTES)
    let received = 0
    const storage = await storageOf(
      async (request, response) => {
        let pauses = 0
        for await (const chunk of request) {
          received += (chunk as Buffer).length
          if (received / PART_BYTES < pauses + 1) continue
          pauses++
          await new Promise<void>((resolve) => systemClock.after(300, resolve))
        }
        response.end()
      },
      { ...SHORT, answerMs: 1_500 },
    )
    await storage.putFile('a', file).finally(() => rm(folder, { recursive: true }))
    expect(received).toBe(PARTS * PART_BYTES)
  })

  test('that stays busy is an error after some retries', async () => {
    let asked = 0
    const storage = await storageOf((_, response) => {
      asked++
      response.writeHead(503).end('<Code>SlowDown</Code>')
    })
    await expect(storage.read('a')).rejects.toThrow('S3 answered 503 to GET a: <Code>SlowDown</Code>')
    expect(asked).toBe(SHORT.attempts)
  })

  test('that drops the connection once is retried', async () => {
    let asked = 0
    const storage = await storageOf((request, response) => {
      if (++asked === 1) request.socket.destroy()
      else response.end('abc')
    })
    expect(await text(await storage.read('a'))).toBe('abc')
  })

  test('that never responds times out', async () => {
    const storage = await storageOf(() => {})
    await expect(storage.size('a')).rejects.toThrow('Headers Timeout Error')
  })

  test('that stalls in the middle of a file ends the read with an error', async () => {
    const storage = await storageOf((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('abc')
    })
    const stream = await storage.read('a')
    await expect(text(stream)).rejects.toThrow('Body Timeout Error')
  })

  test('that disconnects in the middle of a file ends the read with an error', async () => {
    const storage = await storageOf((request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('abc', () => request.socket.destroy())
    })
    await expect(text(await storage.read('a'))).rejects.toThrow()
  })

  test('that sends the whole file instead of a range is an error', async () => {
    const storage = await storageOf((_, response) => response.end('abcdefghij'))
    await expect(storage.read('a', { start: 2, end: 4 })).rejects.toThrow('S3 answered 200')
  })

  test('whose error message never ends is cut off', async () => {
    const storage = await storageOf((_, response) => {
      response.writeHead(400)
      const more = () =>
        void (response.write('x'.repeat(10_000)) ? setImmediate(more) : response.once('drain', more))
      more()
    })
    await expect(storage.read('a')).rejects.toThrow(/^S3 answered 400 to GET a: x{300}$/)
  })
})
