// Loads the bundled files that are named as arguments, and keeps what V8 has compiled of them meanwhile: most of what a
// start runs, it runs while it loads. The code is for processes with the V8 flags of this one.
import { resolve } from 'node:path'

import { writeCode } from './compiled-code.js'
import { createLoader } from './loader.js'

const loaded = []
const load = createLoader({ onScript: (...script) => loaded.push(script) })
for (const file of process.argv.slice(2)) load(resolve(file))
for (const [file, source, script] of loaded) writeCode(file, source, script.createCachedData())
