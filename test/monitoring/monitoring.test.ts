import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { beforeAll, expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'
import { type Harness, harness } from '../harness/index.ts'
import { newFolder } from '../harness/processes/bellhop-process.ts'
import { startRoleProcess } from '../harness/processes/edge-process.ts'
import { certificateFiles } from '../harness/sip/certificate.ts'

const ALERTS = join(packageRoot, 'deploy/prometheus/alerts.yml')
const DASHBOARD = join(packageRoot, 'deploy/grafana/bellhop.json')
const promtool = (...args: string[]) => promisify(execFile)('promtool', args)

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[]
}

const MONTH_SECONDS = 30 * 24 * 60 * 60

let bellhop: Harness
/** As Prometheus reads them from `bellhop serve`. */
let scraped: string

const valueOf = (metric: string) => Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(scraped)?.[1])

beforeAll(async () => {
  bellhop = await harness()
  // Nobody does them.
  await bellhop.db.sql`
    insert into graphile_worker._private_tasks (identifier) values ('of a worker that is gone')`
  await bellhop.db.sql`
    insert into graphile_worker._private_jobs (task_id, run_at)
    select id, now() - interval '2 minutes' from graphile_worker._private_tasks, generate_series(1, 3)
    where identifier = 'of a worker that is gone'`
  const { environment } = await certificateFiles()
  const serve = await startRoleProcess('serve', bellhop.db.address, {
    BELLHOP_DATA_DIR: bellhop.dataDir,
    ...environment,
  })
  scraped = await (await fetch(`${serve.url}/metrics`)).text()
})

async function expressions(): Promise<string[]> {
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as Dashboard
  const found = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(found.length).toBeGreaterThan(20)
  // Variables of Grafana.
  return found.map((expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'))
}

test('every alert fires when it should, and none for an installation that is well', async () => {
  await promtool('check', 'rules', ALERTS)
  const cases = join(packageRoot, 'test/monitoring/alerts.promtool.yml')
  expect((await promtool('test', 'rules', cases)).stdout).toContain('SUCCESS')
  const named = [...(await readFile(ALERTS, 'utf8')).matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  const tried = [...(await readFile(cases, 'utf8')).matchAll(/ name: (Bellhop\w+)/g)].map(([, name]) => name)
  expect(new Set(named)).toEqual(new Set(tried))
})

test('every panel of the dashboard has a valid expression', async () => {
  const rules = (await expressions()).map((expr, at) => ({ record: `panel:${at}`, expr }))
  const file = join(await newFolder(), 'rules.yml')
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  expect((await promtool('check', 'rules', file)).stdout).toContain(`${rules.length} rules found`)
})

test('the service has every metric that the alerts and the dashboard use', async () => {
  const used = [...(await expressions()), await readFile(ALERTS, 'utf8')].join('\n')
  const names = [...used.matchAll(/\b(?:bellhop|process)_\w+(?=[{[ )])/g)].map(([name]) => name)
  expect(names.length).toBeGreaterThan(40)
  const has = new Map([...scraped.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]))
  const missing = [...new Set(names)].filter((name) => {
    const ofHistogram = /^(.*)_(?:bucket|count|sum)$/.exec(name)?.[1]
    return !has.has(name) && has.get(ofHistogram ?? '') !== 'histogram'
  })
  expect(missing).toEqual([])
})

test('overdue jobs, the disk and the certificate are measured', () => {
  expect(valueOf('bellhop_jobs_overdue')).toBe(3)
  expect(valueOf('bellhop_webhook_deliveries_overdue')).toBe(0)
  expect(valueOf('bellhop_disk_free_bytes')).toBeGreaterThan(1_000_000)
  expect(valueOf('bellhop_disk_size_bytes')).toBeGreaterThan(valueOf('bellhop_disk_free_bytes'))
  const restSeconds = valueOf('bellhop_certificate_expiry_timestamp_seconds') - Date.now() / 1_000
  expect(restSeconds).toBeGreaterThan(0)
  expect(restSeconds).toBeLessThan(MONTH_SECONDS)
})
