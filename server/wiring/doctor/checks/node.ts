import { engines } from '../../version.ts'
import type { Check } from '../check.ts'
import { ok, problem } from '../finding.ts'

/** `>=20.19`, as package.json says. */
const OLDEST = /(\d+)\.(\d+)/

export const node: Check = {
  name: 'node',
  async run() {
    const [, major = 0, minor = 0] = OLDEST.exec(engines.node)!.map(Number)
    const [ourMajor = 0, ourMinor = 0] = process.versions.node.split('.').map(Number)
    if (ourMajor > major || (ourMajor === major && ourMinor >= minor))
      return [ok(`Node.js ${process.versions.node} is supported.`)]
    return [
      problem(`Node.js ${process.versions.node} is too old.`, `Install Node.js ${major}.${minor} or newer.`),
    ]
  },
}
