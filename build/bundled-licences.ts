import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Plugin } from 'vite'

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i

/**
 * Writes the licences of the packages whose code is bundled, which must go along with it. `more` names packages that
 * are copied in another way, such as a font.
 */
export function bundledLicences(fileName: string, more: string[] = []): Plugin {
  return {
    name: 'bundled-licences',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const folders = modules.filter((id) => id.includes('/node_modules/')).map((id) => folderOf(dirname(id)))
      const others = more.map((name) => join(import.meta.dirname, '../node_modules', name))
      const source = [...new Set([...folders, ...others])].map(licenceIn).toSorted().join('\n')
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

interface Manifest {
  name?: string
  version?: string
  license?: string
}

/** The folder of the package: some have a package.json without a name, or without a version, in folders below. */
function folderOf(folder: string): string {
  const { name, version } = manifestIn(folder) ?? {}
  return name && version ? folder : folderOf(dirname(folder))
}

function manifestIn(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined
}

function licenceIn(folder: string): string {
  const { name, version, license } = manifestIn(folder)!
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`== ${name} ${version} (${license})`, ...texts, ''].join('\n\n')
}
