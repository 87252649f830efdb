/**
 * A carrier that calls the numbers of one company, and their phones, which answer at once: from the message `start`
 * until `stop`, as many calls a second as it is told to, however many of them are open. It hangs up a moment after each
 * answer.
 */
import { connectParties } from '../calls/phone-system.ts'
import type { FloodReport } from './beside-flood.ts'

/** How long a caller stays. */
const LISTEN_MS = 2_000

/** As JSON in the first argument. */
export interface CallFlood {
  sipPort: number
  numbers: string[]
  devices: { username: string; password: string }[]
  perSecond: number
}

const { perSecond, ...parties } = JSON.parse(process.argv[2]!) as CallFlood
const system = await connectParties(parties)
let open = 0
let whenNoneIsOpen = () => {}
let startedWith = process.cpuUsage()
let report: FloodReport = { answered: 0, refused: 0, cpuMs: 0 }
let timer: NodeJS.Timeout | undefined

function start(): void {
  report = { answered: 0, refused: 0, cpuMs: 0 }
  startedWith = process.cpuUsage()
  const startedAt = performance.now()
  let dialled = 0
  timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond
    for (; dialled < due; dialled++) dial(dialled % parties.numbers.length, report)
  }, 1)
}

function dial(line: number, counts: FloodReport): void {
  open++
  let isAnswered = false
  const call = system.dial(line, 9)
  call.listen((event) => {
    if (event.type === 'answered') {
      isAnswered = true
      counts.answered++
      setTimeout(() => call.hangUp(), LISTEN_MS)
    }
    if (event.type !== 'ended') return
    if (!isAnswered) counts.refused++
    if (--open === 0) whenNoneIsOpen()
  })
}

process.on('message', (message) => {
  if (message === 'start') return start()
  clearInterval(timer)
  const { user, system: kernel } = process.cpuUsage(startedWith)
  report.cpuMs = (user + kernel) / 1_000
  const done = { ...report }
  const tell = () => process.send!(done)
  // Only when all have ended is the service as it was before.
  if (open === 0) tell()
  else whenNoneIsOpen = tell
})
process.on('disconnect', () => process.exit())
process.send!('ready')
