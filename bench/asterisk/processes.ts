/** CPU time and memory of processes, as Linux accounts for them. */
import { readdirSync, readFileSync } from 'node:fs'

/** A tick of /proc, on every architecture that Node.js runs on. */
const TICK_MS = 10

/** CPU time of a process, of all below it, and of those below it that have ended. */
export function cpuMsOf(root: number): number {
  let ticks = 0
  for (const pid of treeOf(root)) {
    const [user, system, endedUser, endedSystem] = statOf(pid).slice(11, 15) as [
      number,
      number,
      number,
      number,
    ]
    ticks += user + system
    if (pid === root) ticks += endedUser + endedSystem
  }
  return ticks * TICK_MS
}

/** CPU time that the whole machine has used. */
export function machineCpuMs(): number {
  const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]!
    .split(/\s+/)
    .map(Number)
  return (user! + nice! + system! + irq! + softirq!) * TICK_MS
}

export interface Memory {
  /** Of the process itself, with its share of what several processes have in common. */
  aloneMb: number
  belowMb: number
  /** The programs below it that take the most. */
  below: string[]
}

export function memoryOf(root: number): Memory {
  const below: { name: string; mb: number }[] = []
  let aloneMb = 0
  for (const pid of treeOf(root)) {
    const mb = proportionalMb(pid)
    if (pid === root) aloneMb = mb
    else below.push({ name: programOf(pid), mb })
  }
  const largest = below.toSorted((a, b) => b.mb - a.mb).slice(0, 4)
  return {
    aloneMb: Math.round(aloneMb),
    belowMb: Math.round(below.reduce((sum, { mb }) => sum + mb, 0)),
    below: largest.map(({ name, mb }) => `${name} ${Math.round(mb)}`),
  }
}

function treeOf(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = statOf(Number(name))[1] ?? 0
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const all = [root]
  for (let i = 0; i < all.length; i++) all.push(...(children.get(all[i]!) ?? []))
  return all
}

/** The fields after the name; zeros for a process that has just ended. */
function statOf(pid: number): number[] {
  const text = read(`/proc/${pid}/stat`)
  if (!text) return Array.from({ length: 20 }, () => 0)
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

const proportionalMb = (pid: number) =>
  Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1_024

const programOf = (pid: number) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(-40)

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
