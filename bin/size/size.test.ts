import { expect, test } from 'vitest'

import { bellhop, newFolder } from '../../test/harness/processes/bellhop-process.ts'
import { type Profile, sizeFor } from './sizing.ts'

const OFFICE: Profile = {
  companies: 1,
  employees: 50,
  callsPerHour: 300,
  callMinutes: 3,
  recordedShare: 0,
  browserShare: 0.5,
  textsPerHour: 100,
  retentionDays: 365,
}

test('an office fits on one small machine, and needs no cells', () => {
  const { oneMachine, cells } = sizeFor(OFFICE)
  expect(oneMachine!.machines).toMatchObject([{ count: 1, cores: 2 }])
  expect(cells.count).toBe(1)
})

function sizeOf(profile: Profile): number[] {
  const { busyCores, cells } = sizeFor(profile)
  const cores = Object.values(busyCores).reduce((sum, value) => sum + value, 0)
  const { recordingsGb, databaseGb, mbitPerSecond } = cells.each
  return [cores, ...[recordingsGb, databaseGb, mbitPerSecond].map((value) => value * cells.count)]
}

test('more of anything never needs less', () => {
  const busy: Profile = { ...OFFICE, companies: 40, employees: 2_000, callsPerHour: 12_000 }
  const before = sizeOf(busy)
  const more: Partial<Profile>[] = [
    { callsPerHour: 24_000 },
    { recordedShare: 0.5 },
    { textsPerHour: 10_000 },
    { retentionDays: 1_000 },
    { callMinutes: 6 },
  ]
  for (const change of more) {
    const after = sizeOf({ ...busy, ...change })
    expect(after).not.toEqual(before)
    after.forEach((value, i) => expect(value).toBeGreaterThanOrEqual(before[i]!))
  }
})

test('recordings are as large as their format says', () => {
  const { recordingsGb } = sizeFor({ ...OFFICE, recordedShare: 1, retentionDays: 1 }).oneMachine!
  // 300 calls in the eighth part of a day, of 180 s and 32 kB a second.
  expect(recordingsGb).toBe(Math.ceil((300 * 8 * 180 * 32_000) / 1e9))
})

test('a million companies need cells, none of which has more than 2,000', () => {
  const million = { ...OFFICE, companies: 1_000_000, employees: 5_000_000, callsPerHour: 20_000_000 }
  const { oneMachine, cluster, cells } = sizeFor(million)
  expect([oneMachine, cluster]).toEqual([undefined, undefined])
  expect(cells.count).toBeGreaterThan(500)
  expect(cells.companiesPerCell).toBeLessThanOrEqual(2_000)
})

test('the command prints text, JSON or costs, without a database, and names a wrong option', async () => {
  const cwd = await newFolder()
  const run = (...args: string[]) => bellhop(['size', ...args], { cwd, env: {} })
  const [text, json, costs, wrong] = await Promise.all([
    run('--employees', '2000', '--recorded', '50'),
    run('--json', '--employees', '20', '--texts', '7'),
    run('--costs'),
    run('--recorded', '101'),
  ])
  expect(text.stdout).toMatch(/One machine\nToo much for one machine\.\n\nSeveral machines/)
  expect(JSON.parse(json.stdout)).toMatchObject({
    profile: { employees: 20, companies: 1, callsPerHour: 120, textsPerHour: 7 },
    oneMachine: { machines: [{ role: 'everything' }] },
  })
  expect(costs.stdout).toMatch(/^callService +11\.9 core ms +bench:asterisk inbound$/m)
  expect(wrong.stderr).toContain('--recorded must be a number from 0 to 100.')
})
