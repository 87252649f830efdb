import { fileURLToPath } from 'node:url'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** What would come with the first page otherwise: the phone and libraries that are loaded when they are needed. */
const LARGE = /\/web\/softphone\/|\/(jssip|libphonenumber-js|papaparse)\//

const isSmall = (id: string) => !LARGE.test(id)

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Every file name has the hash of its content, so browsers may cache it for ever.
    assetsDir: 'dashboard',
    // The page's policy allows no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // By default each module that two pages share is a file, and the first page of a browser asks for fifty.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 2, test: isSmall }] },
      },
    },
  },
  logLevel: 'warn',
})
