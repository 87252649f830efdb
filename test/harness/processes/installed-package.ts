import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { lazyAsync } from '../../../server/platform/async/lazy.ts'
import { packageRoot } from '../../../server/platform/package-root.ts'
import { newFolder, run } from './bellhop-process.ts'

interface Packed {
  /** Compressed. */
  size: number
  unpackedSize: number
  files: { path: string; size: number }[]
}

/** What `npm pack` makes of the files that are built. */
export const packPackage = lazyAsync(async (): Promise<Packed> => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { code, stdout, stderr } = await run('npm', args, {
    cwd: packageRoot,
    env: { HOME: await newFolder() },
  })
  if (code !== 0) throw new Error(`npm pack failed: ${stderr}`)
  return (JSON.parse(stdout) as [Packed])[0]
})

/**
 * The package in a folder of its own, as npm installs it, with nothing beside it but these packages. Returns the folder.
 */
export async function installPackage(packages: string[]): Promise<string> {
  const folder = join(await newFolder(), 'node_modules', 'bellhop')
  for (const { path } of (await packPackage()).files)
    await cp(join(packageRoot, path), join(folder, path), { recursive: true })
  for (const name of packages) {
    const place = join(folder, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(packageRoot, 'node_modules', name), place)
  }
  return folder
}

export const readPackageJson = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
    optionalDependencies: Record<string, string>
  }
