import { engines } from '../../version.ts'
import type { Check } from '../check.ts'
import { ok, problem, warning } from '../finding.ts'

/** Of `^20.19.0 || ^22.12.0`, as package.json says. */
const TESTED = /\^(\d+)\.(\d+)/g

export const node: Check = {
  name: 'node',
  async run() {
    const ours = process.versions.node
    const [ourMajor = 0, ourMinor = 0] = ours.split('.').map(Number)
    const tested = [...engines.node.matchAll(TESTED)].map(([, major, minor]) => ({
      major: Number(major),
      minor: Number(minor),
    }))
    if (tested.some(({ major, minor }) => ourMajor === major && ourMinor >= minor))
      return [ok(`Node.js ${ours} is supported.`)]
    const versions = tested.map(({ major, minor }) => `${major}.${minor}`).join(', ')
    const action = `Install the newest Node.js of one of these lines: ${versions}.`
    const oldest = tested[0]!
    const isTooOld = ourMajor < oldest.major || (ourMajor === oldest.major && ourMinor < oldest.minor)
    return [
      isTooOld
        ? problem(`Node.js ${ours} is too old.`, action)
        : warning(`Bellhop is not tested with Node.js ${ours}.`, action),
    ]
  },
}
