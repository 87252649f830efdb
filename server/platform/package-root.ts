import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, whether this file runs from source or from dist/. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)))

function findPackageRoot(dir: string): string {
  return existsSync(join(dir, 'package.json')) ? dir : findPackageRoot(dirname(dir))
}
