import { defineConfig } from 'vite'

/** What starts as a process or a thread of its own: the command line, engines of speech and search, senders of webhooks. */
const PROGRAMS = [
  'bin/bellhop.ts',
  'server/embeddings/embedded/program.ts',
  'server/modules/webhooks/delivery/sending/thread-program.ts',
  ...['espeak', 'moonshine', 'piper', 'silero'].map(
    (engine) => `server/speech/embedded/${engine}/program.ts`,
  ),
]

/** Our own modules in a few files, which a process loads in half the time of eight hundred. Packages stay packages. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(PROGRAMS.map((file) => [file.replace(/\.ts$/, ''), file])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
  logLevel: 'warn',
})
