import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'

import { expect, inject } from 'vitest'

import type { AcceptSipWebSocket } from '../../server/api/sip-websockets.ts'
import { readConfig } from '../../server/config.ts'
import { createApiKey } from '../../server/modules/api-keys/index.ts'
import { createCompany } from '../../server/modules/company/index.ts'
import { lazy } from '../../server/platform/async/lazy.ts'
import { connect, type Database, openDatabase } from '../../server/platform/db/database.ts'
import { drainJobs } from '../../server/platform/jobs/worker.ts'
import { createLog } from '../../server/platform/log.ts'
import type { Tracer } from '../../server/platform/tracing/span.ts'
import { startApi } from '../../server/roles/api.ts'
import { wireJobs } from '../../server/roles/jobs.ts'
import type { RoleParts } from '../../server/roles/shared.ts'
import { afterFile } from './after-file.ts'
import { type ApiClient, apiClient } from './api-client.ts'
import { newEmployee } from './employees.ts'
import { TEMPLATE } from './global-setup.ts'
import { MEDIA_PORTS_SETTING } from './processes/media-ports.ts'
import { undeclaredStatuses } from './routes/declared-statuses.ts'
import { shareGreetings } from './share-greetings.ts'
import { sharedSpeaker } from './shared-speaker.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

export interface TestCompany {
  companyId: string
  /** The employee whose key `api` uses. */
  employeeId: string
  key: string
  api: ApiClient
  db: Database
}

export interface Harness {
  url: string
  db: Database
  /** The parts with which to start another role of the same installation. */
  parts: Required<Omit<RoleParts, 'tracer' | 'presence'>> & Pick<RoleParts, 'tracer'>
  clock: TestClock
  /** The directory of e-mails and other files of this installation. */
  dataDir: string
  /** The lines of the log. */
  logged: string[]
  newCompany(options?: { country?: string; messaging?: boolean }): Promise<TestCompany>
  keyFor(employeeId: string): Promise<{ id: string; key: string; api: ApiClient }>
  anonymous: ApiClient
  /** Runs all jobs that are due. */
  drainJobs(): Promise<void>
  /** Transcribes all queued recordings. */
  transcribe(): Promise<void>
  /** Makes all webhook deliveries that are due. */
  deliverWebhooks(): Promise<void>
  /** Deletes webhook events past their retention. */
  forgetOldEvents(): Promise<void>
  /** A second API on the same database, as another process would have. */
  startAnotherApi(): Promise<string>
}

/** A whole installation on its own database, closed after the file's tests. */
export async function harness(
  environment: Record<string, string> = {},
  {
    newDatabase = cloneDatabase,
    startAt,
    tracer,
    ...more
  }: {
    tracer?: Tracer | undefined
    receivePhone?: AcceptSipWebSocket
    newDatabase?: NewDatabase
    startAt?: Date
  } = {},
): Promise<Harness> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-data-'))
  await shareGreetings(dataDir)
  const { db, drop } = await newDatabase()
  const clock = createTestClock(startAt)
  const logged: string[] = []
  const log = createLog({ level: 'info', destination: collectLines(logged) })
  const config = readConfig({
    PORT: '0',
    SIP_PORT: '0',
    MEDIA_PORTS: MEDIA_PORTS_SETTING,
    BELLHOP_DATA_DIR: dataDir,
    ...mediaPlane(),
    ...environment,
  })
  const parts = { config, db, log, clock, pause: async () => {}, speaker: sharedSpeaker(), tracer }
  const apis = [await startApi({ ...parts, ...more })]
  const url = apis[0]!.url
  const jobs = await wireJobs({ ...parts, baseUrl: url, apiUrl: url })

  // Registered first, so it runs last, when every response is in the log.
  afterFile(async () =>
    expect(await undeclaredStatuses(logged), 'statuses missing in the API document').toEqual([]),
  )
  afterFile(async () => {
    for (const api of apis) await api.stop()
    await jobs.close()
    await db.close()
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const keyFor = async (employeeId: string) => {
    const made = await db.tx((tx) => createApiKey(tx, employeeId, 'test'))
    return { ...made, api: apiClient(url, made.key) }
  }

  return {
    url,
    db,
    parts,
    clock,
    dataDir,
    logged,
    keyFor,
    anonymous: apiClient(url),
    async newCompany({ country = 'DK', messaging = false } = {}) {
      const { companyId, employeeId } = await db.tx(async (tx) => {
        const company = await createCompany(tx, {
          name: 'Test company',
          country,
          messaging_enabled: messaging,
        })
        const input = { name: 'Owner', email: `${randomUUID()}@example.com` }
        const employee = await newEmployee(tx, company.id, input)
        return { companyId: company.id, employeeId: employee.id }
      })
      const { key, api } = await keyFor(employeeId)
      return { companyId, employeeId, key, api, db }
    },
    drainJobs: () => drainJobs({ address: db.address, handlers: jobs.handlers, log }),
    transcribe: async () => jobs.transcripts?.runDue(),
    deliverWebhooks: () => jobs.webhooks.runDue(),
    forgetOldEvents: () => jobs.webhooks.forgetOldEvents(),
    async startAnotherApi() {
      const api = await startApi(parts)
      apis.push(api)
      return api.url
    },
  }
}

export type NewDatabase = () => Promise<{ db: Database; drop(): Promise<void> }>

/** Cloned from the template. */
export const cloneDatabase: NewDatabase = () => createDatabase(TEMPLATE)

/** Empty. */
export const emptyDatabase: NewDatabase = () => createDatabase('template0')

/** Kept until the worker ends, because PostgreSQL starts a process for each connection. */
const admin = lazy(() => connect({ ...inject('postgres'), database: 'postgres' }, { max: 1 }))

async function createDatabase(template: string): ReturnType<NewDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying files costs PostgreSQL half as much as writing every page of the template to its log.
  await admin().unsafe(`create database ${name} template ${template} strategy file_copy`)
  const db = openDatabase({ ...inject('postgres'), database: name }, { poolSize: 5 })
  const drop = async () => {
    await admin().unsafe(`drop database ${name} with (force)`)
  }
  return { db, drop }
}

function collectLines(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString().split('\n').filter(Boolean))
      done()
    },
  })
}

/** `MEDIA_PLANE=rtpengine RTPENGINE=udp://… npx vitest run test/live-calls` leads the calls through rtpengine. */
function mediaPlane(): Record<string, string> {
  const { MEDIA_PLANE = '', RTPENGINE = '' } = process.env
  return { MEDIA_PLANE, RTPENGINE }
}
