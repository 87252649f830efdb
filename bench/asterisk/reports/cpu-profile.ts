/** Where the CPU time of a thread goes, by part of the program, from the profile that Node.js wrote of it. */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

interface Profile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  /** In microseconds of the monotonic clock, as `process.hrtime`. */
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
  columnNumber: number
}

/** The first that matches the source of a function, or of whoever called it. */
const PARTS: [part: string, source: RegExp][] = [
  ['jobs', /graphile-worker|\/platform\/jobs\//],
  ['SQL client', /node_modules\/pg|\/platform\/db\//],
  ['SIP', /server\/sip\//],
  ['media', /server\/media\//],
  ['call control', /server\/telephony\//],
  ['webhooks', /server\/modules\/webhooks\//],
  ['calls', /server\/modules\/calls\//],
  ['queue', /server\/modules\/queue\//],
  ['other modules', /server\/modules\//],
  ['log', /node_modules\/pino|\/platform\/log/],
  ['threads', /\/platform\/thread\//],
  ['API and live channel', /server\/(api|events|live)/],
  ['rest of the server', /(^|\/)(server|bin)\//],
  ['zod', /node_modules\/zod/],
  ['other packages', /node_modules\//],
]
const SHOWN_MAX = 40

/** Microseconds between two moments. */
export interface Span {
  from: number
  to: number
}

/** A profile of the samples within any of these spans, without idle time. */
export function describeProfile(file: string, spans: Span[]): string {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile
  const { partOf, nameOf } = reader(profile)
  const parts = new Map<string, number>()
  const functions = new Map<string, number>()
  let [at, busy] = [profile.startTime, 0]
  for (const [i, id] of profile.samples.entries()) {
    const took = profile.timeDeltas[i]!
    at += took
    if (!spans.some(({ from, to }) => from <= at && at <= to)) continue
    const part = partOf(id)
    if (part === '(idle)') continue
    busy += took
    parts.set(part, (parts.get(part) ?? 0) + took)
    functions.set(nameOf(id), (functions.get(nameOf(id)) ?? 0) + took)
  }
  const seconds = spans.reduce((sum, { from, to }) => sum + (to - from) / 1e6, 0)
  const list = (times: Map<string, number>) =>
    [...times]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, SHOWN_MAX)
      .map(([name, time]) => `${((100 * time) / busy).toFixed(1).padStart(6)} %  ${name}\n`)
      .join('')
  return `busy ${(busy / 1e6).toFixed(2)} s of ${seconds.toFixed(1)}\n${list(parts)}functions themselves:\n${list(functions)}`
}

function reader({ nodes }: Profile) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const sources = new Map<number, string>()
  const sourceOf = (id: number): string => {
    const known = sources.get(id)
    if (known !== undefined) return known
    const source = originOf(byId.get(id)!.callFrame)
    sources.set(id, source)
    return source
  }

  function partOf(id: number): string {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName } = byId.get(at)!.callFrame
      if (/^\((idle|garbage collector|program)\)$/.test(functionName)) return functionName
      const part = PARTS.find(([, pattern]) => pattern.test(sourceOf(at)))
      if (part) return part[0]
    }
    return 'Node.js itself'
  }

  return { partOf, nameOf: (id: number) => `${byId.get(id)!.callFrame.functionName} ${sourceOf(id)}` }
}

const maps = new Map<string, SourceMap | undefined>()

/** The source file of a function of the bundled program. */
function originOf({ url, lineNumber, columnNumber }: CallFrame): string {
  if (!url.startsWith('file:')) return url
  const file = fileURLToPath(url)
  if (!maps.has(file)) maps.set(file, existsSync(`${file}.map`) ? readMap(`${file}.map`) : undefined)
  const entry = maps.get(file)?.findEntry(lineNumber, columnNumber)
  const source = entry && 'originalSource' in entry ? entry.originalSource : file
  return source.replace(/^(\.\.\/)+/, '')
}

const readMap = (file: string) => new SourceMap(JSON.parse(readFileSync(file, 'utf8')))
