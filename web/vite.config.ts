import { fileURLToPath } from 'node:url'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { bundledLicences } from '../build/bundled-licences.ts'

/** What would come with the first page otherwise: the phone and libraries that are loaded when they are needed. */
const LARGE = /\/web\/softphone\/|\/(jssip|libphonenumber-js|papaparse)\//

const isSmall = (id: string) => !LARGE.test(id)

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: at('.'),
  plugins: [
    react(),
    tailwindcss(),
    bundledLicences('licences.txt', ['@fontsource-variable/figtree', 'tailwindcss']),
  ],
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
      input: [at('index.html'), at('service-worker/service-worker.ts')],
      output: {
        // Browsers look for a new version of the service worker at the same address, above all it is for.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'dashboard/[name]-[hash].js',
        // By default each module that two pages share is a file, and the first page of a browser asks for fifty.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 2, test: isSmall }] },
      },
    },
  },
  logLevel: 'warn',
})
