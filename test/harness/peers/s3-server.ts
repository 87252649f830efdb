import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { AwsClient } from 'aws4fetch'

import type { S3Options } from '../../../server/providers/storage/s3.ts'

/** Debian's Python, whatever is first in PATH: only this one has Debian's packages. */
const PYTHON = '/usr/bin/python3'
const PACKAGE = '/usr/lib/python3/dist-packages/swift/common/middleware/s3api'

const KEY = { accessKeyId: 'bell:hop', secretAccessKey: 'open/sesame+1' }
const REGION = 'eu-test-1'

export interface S3Server {
  newBucket(): Promise<S3Options>
  /** The keys in a bucket. */
  keysIn(bucket: S3Options): Promise<string[]>
  /** May be called twice. */
  stop(): Promise<void>
}

/** OpenStack Swift with its S3 interface, which checks signatures, digests and the region. */
export async function startS3Server(): Promise<S3Server> {
  if (!existsSync(PACKAGE)) throw new Error('Swift is not there: run test/setup/install-programs')
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-s3-'))
  const args = [
    join(import.meta.dirname, 's3-server.py'),
    folder,
    KEY.accessKeyId,
    KEY.secretAccessKey,
    REGION,
  ]
  const server = spawn(PYTHON, args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(server, 'exit')
  let complaints = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const [endpoint] = (await Promise.race([once(createInterface(server.stdout), 'line'), ended])) as unknown[]
  if (typeof endpoint !== 'string') throw new Error(`Swift ended before it was ready: ${complaints}`)

  const client = new AwsClient({ ...KEY, region: REGION, service: 's3' })
  const ask = async (bucket: string, method: string) => {
    const answer = await client.fetch(`${endpoint}/${bucket}`, { method })
    if (!answer.ok) throw new Error(`Swift answered ${answer.status}: ${await answer.text()}`)
    return answer.text()
  }
  return {
    async newBucket() {
      const bucket = `test-${randomUUID()}`
      await ask(bucket, 'PUT')
      return { endpoint, bucket, region: REGION, ...KEY }
    },
    async keysIn({ bucket }) {
      return [...(await ask(bucket, 'GET')).matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1]!)
    },
    async stop() {
      server.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
