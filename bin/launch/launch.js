import { createRequire } from 'node:module'
import { join } from 'node:path'

import { createLoader } from './loader.js'

/** Runs a bundled program, named from the folder above: it calls what the program exports. */
export async function launch(program) {
  // Node.js applies source maps only to what it loads itself.
  const load = process.sourceMapsEnabled ? createRequire(import.meta.url) : createLoader()
  await load(join(import.meta.dirname, '..', program)).default()
}
