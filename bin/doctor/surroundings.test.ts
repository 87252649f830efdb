import { beforeAll, describe, expect, test } from 'vitest'

import type { S3Options } from '../../server/providers/storage/s3.ts'
import { afterFile } from '../../test/harness/after-file.ts'
import { type S3Server, startS3Server } from '../../test/harness/peers/s3-server.ts'
import {
  type Environment,
  newFolder,
  program,
  startService,
} from '../../test/harness/processes/bellhop-process.ts'
import { doctor, found, preload } from '../../test/harness/processes/doctor.ts'
import { type OutsidePostgres, startOutsidePostgres } from '../../test/harness/processes/outside-postgres.ts'

describe('an installation on a PostgreSQL of its own', () => {
  let cwd: string
  let env: Environment
  let outside: OutsidePostgres

  beforeAll(async () => {
    outside = await startOutsidePostgres()
    cwd = await newFolder()
    env = {
      DATABASE_URL: await outside.newDatabase(),
      BELLHOP_SECRET: 's'.repeat(32),
      PORT: '0',
      SIP_PORT: '0',
    }
  })

  test('an API without a worker', async () => {
    const api = await startService({ cwd, env, command: [process.execPath, program, 'api'] })
    const { code, of } = await doctor(cwd, env, 'queues', 'database')
    expect(code).toBe(1)
    expect(of('database')).toEqual([found('ok', /^PostgreSQL 15\.\d+ responds/)])
    expect(of('queues')).toEqual([found('problem', /^No worker runs/, /`bellhop worker`/)])
    api.signal('SIGTERM')
    await api.ended
    expect((await doctor(cwd, env, 'queues')).of('queues')).toEqual([found('ok', /is overdue/)])
  })

  test('a PostgreSQL that is too old', async () => {
    // Found before the real function, so that the server calls itself an older one.
    const older = `create schema older;
      grant usage on schema older to bellhop;
      create function older.current_setting(name text) returns text language sql as $$
        select case name when 'server_version_num' then '130022' when 'server_version' then '13.22 (Debian)' end $$;
      alter role bellhop in database ${new URL(env['DATABASE_URL']!).pathname.slice(1)}
        set search_path = older, pg_catalog, public`
    await outside.asSuperuser(env['DATABASE_URL']!, older)
    const { code, of } = await doctor(cwd, env, 'database')
    expect(code).toBe(1)
    expect(of('database')).toEqual([
      found('problem', /^PostgreSQL 13\.22 is too old\.$/, /PostgreSQL 14 or newer/),
    ])
  })
})

describe('a bucket for files', () => {
  let server: S3Server
  let bucket: S3Options
  let env: Environment

  beforeAll(async () => {
    server = await startS3Server()
    afterFile(() => server.stop())
    bucket = await server.newBucket()
    env = {
      S3_URL: bucket.endpoint,
      S3_BUCKET: bucket.bucket,
      S3_REGION: bucket.region,
      S3_ACCESS_KEY_ID: bucket.accessKeyId,
      S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    }
  })

  test('is written to, read and left as it was', async () => {
    const { code, of } = await doctor(await newFolder(), env, 'storage')
    expect({ code, found: of('storage') }).toEqual({
      code: 0,
      found: [found('ok', `^Files can be written to the bucket ${bucket.bucket} at`)],
    })
    expect(await server.keysIn(bucket)).toEqual([])
  })

  test.each([
    ['refuses the access key', { S3_SECRET_ACCESS_KEY: 'a guess' }],
    ['does not exist', { S3_BUCKET: 'nobody-has-this-bucket' }],
  ])('that %s is a problem, and no secret is shown', async (_, wrong) => {
    const { code, findings, of } = await doctor(await newFolder(), { ...env, ...wrong }, 'storage')
    expect(code).toBe(1)
    expect(of('storage')).toEqual([
      found(
        'problem',
        /^Files cannot be stored in the bucket .* recordings and prompts are lost/,
        /S3_BUCKET/,
      ),
    ])
    expect(JSON.stringify(findings)).not.toMatch(/a guess|open\/sesame/)
  })
})

test('a disk without space is a problem', async () => {
  // A file system that never has any.
  const { code, of } = await doctor(await newFolder(), { BELLHOP_DATA_DIR: '/proc/sys' }, 'disk-space')
  expect(code).toBe(1)
  expect(of('disk-space')).toEqual([
    found('problem', /^0 MiB are free for \/proc\/sys\.$/, /Free some space/),
  ])
})

test('a disk that is nearly full is a warning', async () => {
  const cwd = await newFolder()
  const free = preload(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    fs.promises.statfs = async () => ({ bavail: 500, bsize: ${1024 * 1024} })
    syncBuiltinESMExports()`)
  const { code, of } = await doctor(cwd, free, 'disk-space')
  expect(code).toBe(0)
  expect(of('disk-space')).toEqual([found('warning', /^500 MiB are free for /, /larger disk/)])
})

const nodeOf = (version: string) =>
  preload(
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
  )

test('a Node.js that Bellhop is not tested with is a warning', async () => {
  const { code, of } = await doctor(await newFolder(), nodeOf('23.1.0'), 'node')
  expect(code).toBe(0)
  expect(of('node')).toEqual([
    found('warning', /not tested with Node\.js 23\.1\.0\.$/, /20\.19, 22\.12, 24\.0/),
  ])
})

test('a Node.js that is too old is a problem', async () => {
  const { code, of } = await doctor(await newFolder(), nodeOf('20.18.3'), 'node')
  expect(code).toBe(1)
  expect(of('node')).toEqual([
    found('problem', /^Node\.js 20\.18\.3 is too old\.$/, /of these lines: 20\.19, 22\.12, 24\.0\.$/),
  ])
})
