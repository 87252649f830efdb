import { readFileSync } from 'node:fs'

import type { Plugin } from 'vite'

/** Copies the script of the API reference, which is all that we take from its package. */
export const referenceScript: Plugin = {
  name: 'reference-script',
  generateBundle() {
    const source = readFileSync('node_modules/@scalar/fastify-api-reference/dist/js/standalone.js')
    this.emitFile({ type: 'asset', fileName: 'reference/scalar.js', source })
  },
}
