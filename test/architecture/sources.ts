import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

import { packageRoot } from '../../server/platform/package-root.ts'

export interface Source {
  /** From the root of the project. */
  path: string
  text: string
}

export async function readSources(folders: string[]): Promise<Source[]> {
  const sources: Source[] = []
  for (const folder of folders) {
    const found = await readdir(join(packageRoot, folder), { recursive: true }).catch(() => [])
    for (const name of found) {
      const path = posix.join(folder, name)
      // Tests, and code shared by several tests, may import the harness from anywhere.
      if (!/\.tsx?$/.test(path) || /(\.test|\/contract)\.tsx?$|\/fixtures\//.test(path)) continue
      sources.push({ path, text: await readFile(join(packageRoot, path), 'utf8') })
    }
  }
  return sources
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '')
}
