/** Bellhop as `npm start` runs it, with its companies, numbers and phones. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { findCluster } from '../../server/platform/embedded-postgres/cluster-location.ts'
import { connectParties, environmentFor, freePort } from '../calls/phone-system.ts'
import type { Fixture } from '../fixture.ts'
import type { CompanyGroup } from './companies.ts'
import type { Pbx } from './pbx.ts'
import { cpuMsOf, memoryOf } from './processes.ts'
import type { Rtpengine } from './rtpengine.ts'
import { setUpCompanies } from './set-up-companies.ts'

const LIMITS = { registeredMs: 120_000 }
/** PostgreSQL's admin_shutdown. */
const TERMINATED = '57P01'

export interface Bellhop extends Pbx {
  name: 'bellhop'
  query(text: string): Promise<unknown>
  /** Ends the driver's own connection to PostgreSQL, whose memory is not Bellhop's. The next query opens another. */
  disconnect(): Promise<void>
  /** Where PostgreSQL writes its log. */
  postgresLog: string
  /** The greeting that every caller hears, as a WAV file. */
  greeting: string
  /** When the last greeting was synthesised. */
  spokenAt: number
}

interface BellhopOptions {
  companies: CompanyGroup[]
  nodeOptions: string[]
  /** Carries the media; its CPU time counts as Bellhop's. */
  rtpengine: Rtpengine | undefined
}

export async function openBellhop(
  fixture: Fixture,
  { companies, nodeOptions, rtpengine }: BellhopOptions,
): Promise<Bellhop> {
  const sipPort = await freePort()
  const environment = {
    ...environmentFor(sipPort),
    ...rtpengine?.environment,
    TRANSCRIPTION_ENGINE: 'off',
    EMBEDDINGS: 'off',
  }
  const url = await fixture.startBellhop(environment, nodeOptions)
  const pid = fixture.processIds().at(-1)!
  const { numbers, devices, greeting } = await setUpCompanies(fixture, url, companies)
  const spokenAt = performance.now()
  const parties = await connectParties({ sipPort, numbers, devices })
  await untilRegistered(fixture, devices.length)
  const { dir, data } = (await findCluster(join(fixture.dataDir, 'postgres')))!
  const postmaster = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  return {
    ...parties,
    name: 'bellhop',
    cpuMs: () => ({
      own: cpuMsOf(pid) + (rtpengine ? cpuMsOf(rtpengine.pid) : 0),
      postgres: cpuMsOf(postmaster),
    }),
    memory: () => ({ own: memoryOf(pid), postgres: memoryOf(postmaster) }),
    async record(on) {
      await fixture.db.tx((tx) => tx`update business_numbers set recording_enabled = ${on}`)
    },
    query: async (text) => await fixture.sql.unsafe(text),
    async disconnect() {
      await fixture.sql`select pg_terminate_backend(pg_backend_pid())`.catch((error: { code?: string }) => {
        if (error.code !== TERMINATED) throw error
      })
    },
    postgresLog: join(dir, 'postgres.log'),
    greeting,
    spokenAt,
  }
}

async function untilRegistered({ sql }: Fixture, devices: number): Promise<void> {
  let count = 0
  for (const start = performance.now(); performance.now() - start < LIMITS.registeredMs; await pause(100)) {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from device_registrations`
    count = row!.count
    if (count >= devices) return
  }
  throw new Error(`only ${count} of ${devices} phones registered at Bellhop`)
}
