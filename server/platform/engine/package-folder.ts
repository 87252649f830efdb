import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/**
 * The folder of an npm package that is beside this program; undefined if it is not installed. It is looked up each
 * time, because packages of engines can be added while Bellhop runs.
 */
export function packageFolder(name: string): string | undefined {
  const folders = (resolve.paths(name) ?? []).map((modules) => join(modules, name))
  return folders.find((folder) => existsSync(join(folder, 'package.json')))
}

export const arePackagesInstalled = (names: readonly string[]): boolean =>
  names.every((name) => packageFolder(name) !== undefined)

/** For the program of an engine, which is started only if its packages are installed. */
export function requirePackageFolder(name: string): string {
  const folder = packageFolder(name)
  if (!folder) throw new Error(`The npm package ${name} is not installed.`)
  return folder
}
