import { table } from '../table.ts'
import type { Layout, Sizing } from './sizing.ts'
import { UNIT_COSTS } from './unit-costs.ts'

const count = (value: number) => Math.round(value).toLocaleString('en')
const cores = (value: number) => (value < 0.1 ? '< 0.1' : value.toFixed(1))

/** The sizing as text. */
export function sizingText({ concurrentCalls, busyCores, oneMachine, cluster, cells }: Sizing): string {
  const busy = Object.entries(busyCores).map(([work, value]) => `${work} ${cores(value)}`)
  const sections = [
    `In the busiest hour: up to ${count(concurrentCalls)} calls at once. Busy cores: ${busy.join(', ')}.`,
    `One machine\n${oneMachine ? layoutText(oneMachine) : 'Too much for one machine.'}`,
    `Several machines, of which each role can lose one\n${
      cluster ? layoutText(cluster) : 'Too much for one database: use cells.'
    }`,
  ]
  if (cells.count > 1)
    sections.push(
      `${count(cells.count)} cells of about ${count(cells.companiesPerCell)} companies, each\n${layoutText(cells.each)}`,
    )
  sections.push(
    'docs/operating/scale.md says how to get from one to the next. The figures are estimates from what benches ' +
      'measured on two x64 cores; --costs lists them.',
  )
  return sections.join('\n\n')
}

function layoutText({ machines, recordingsGb, databaseGb, mbitPerSecond }: Layout): string {
  const rows = machines.map(({ role, count: number, processes, cores: each, memoryGb }) => [
    `  ${number} ×`,
    role,
    `${each} cores`,
    `${memoryGb} GB`,
    processes,
  ])
  const disk = `  Disk: ${count(databaseGb)} GB for the database, ${count(recordingsGb)} GB for recordings.`
  return `${table(rows, '')}\n${disk} Bandwidth: ${count(mbitPerSecond)} Mbit/s each way.`
}

export const costsText = (): string =>
  table(
    Object.entries(UNIT_COSTS).map(([name, { value, unit, source }]) => [
      name,
      `${Number(value.toPrecision(3))} ${unit}`,
      source,
    ]),
    '',
  )
