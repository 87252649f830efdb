/**
 * Loaded into a process before its program (`node --import`): shifts the time of day by the milliseconds that stand in
 * the file CHAOS_CLOCK. Timers and `performance.now()` go on evenly, as they do when the clock of a machine is set.
 */
import { readFileSync } from 'node:fs'

const LOOK_MS = 100
const file = process.env.CHAOS_CLOCK
const RealDate = Date
let shiftMs = 0

function look() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    shiftMs = 0
  }
}

const now = () => RealDate.now() + shiftMs

if (file) {
  look()
  setInterval(look, LOOK_MS).unref()
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}
