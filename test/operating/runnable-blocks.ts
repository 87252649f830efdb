import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { packageRoot } from '../../server/platform/package-root.ts'
import { builtProgram, type Environment, run } from '../harness/processes/bellhop-process.ts'

interface Block {
  /** The heading above it. */
  under: string
  commands: string
}

/** The shell blocks of a page that are marked as runnable, in their order. */
export async function runnableBlocks(page: string): Promise<Block[]> {
  const text = await readFile(join(packageRoot, 'docs/operating', page), 'utf8')
  let under = ''
  return [...text.matchAll(/^#+ ([^\n]+)$|^```sh runnable\n(.*?)^```$/gms)].flatMap(
    ([, heading, commands]) => {
      if (heading !== undefined) under = heading
      return commands === undefined ? [] : [{ under, commands }]
    },
  )
}

/** A shell as an operator has it: with `bellhop` and PostgreSQL's programs, in the folder of the installation. */
export async function openShell(folder: string, postgresBin: string) {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const command = join(bin, 'bellhop')
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${builtProgram()}' "$@"\n`)
  await chmod(command, 0o755)
  const PATH = `${bin}:${postgresBin}:${process.env.PATH}`
  return async ({ commands }: Block, env: Environment = {}): Promise<void> => {
    const { code, stderr } = await run('sh', ['-e', '-c', commands], { cwd: folder, env: { ...env, PATH } })
    if (code !== 0) throw new Error(`${commands}ended with ${code}: ${stderr}`)
  }
}
