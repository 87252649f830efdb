import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

import { readCode } from './compiled-code.js'

/**
 * A `require` of bundled files that has V8 continue with what it compiled of them when they were built: see compile.js.
 * Otherwise it compiles them in each process and thread, which takes a third of the CPU time of a start. Node.js itself
 * keeps compiled code only since version 22. What is loaded so cannot `import()`.
 */
export function createLoader({ onScript = (_file, _source, _script) => {} } = {}) {
  const modules = new Map()
  const requirePackage = createRequire(import.meta.url)

  return function load(file) {
    const loaded = modules.get(file)
    if (loaded) return loaded.exports
    const module = { exports: {} }
    modules.set(file, module)
    const source = readFileSync(file)
    const script = scriptOf(file, source)
    onScript(file, source, script)
    const folder = dirname(file)
    const require = (name) => (name.startsWith('.') ? load(join(folder, name)) : requirePackage(name))
    script.runInThisContext()(module.exports, Object.assign(require, requirePackage), module, file, folder)
    return module.exports
  }
}

function scriptOf(file, source) {
  // The bundler writes ASCII only.
  const text = source.latin1Slice()
  return new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: file,
    cachedData: readCode(file, source),
  })
}
