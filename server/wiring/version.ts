import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { packageRoot } from '../platform/package-root.ts'

/** As package.json says. */
export const { version, engines } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string
  engines: { node: string }
}
