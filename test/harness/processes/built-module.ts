import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { build } from 'vite'

import { packageRoot } from '../../../server/platform/package-root.ts'
import { afterFile } from '../after-file.ts'

/** Compiles a module for another process, because Node 20 does not run TypeScript. Removed after the file's tests. */
export async function builtModule(path: string): Promise<string> {
  // Within the project, so that it finds its packages.
  const outDir = await mkdtemp(join(packageRoot, 'dist', 'module-'))
  afterFile(() => rm(outDir, { recursive: true }))
  await build({
    configFile: false,
    root: packageRoot,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir,
      copyPublicDir: false,
      rolldownOptions: { input: path, output: { entryFileNames: 'module.mjs' } },
    },
  })
  return join(outDir, 'module.mjs')
}
