import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { FastifyInstance } from 'fastify'

import { lazyAsync } from '../../platform/async/lazy.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { API_LIMITS } from '../limits.ts'

/** Whatever the script of the page tries to load, it may come from this server only. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  // The script adds style elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const SCRIPT_PATH = '/docs/scalar.js'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Bellhop API</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="app"></div>
    <script src="${SCRIPT_PATH}"></script>
  </body>
</html>
`

const CONFIGURATION = {
  url: '/openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
}

/** The OpenAPI document at /openapi.json, and a page that renders it at /docs. */
export function serveReference(app: FastifyInstance, describe: () => Promise<object>): void {
  const text = lazyAsync(async () => `${JSON.stringify(await describe(), null, 2)}\n`)
  app.get('/openapi.json', async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(await text()),
  )

  for (const path of ['/docs', '/docs/'])
    app.get(path, async (_, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', CONTENT_SECURITY_POLICY)
        .send(PAGE),
    )

  const script = lazyAsync(readScript)
  app.get(SCRIPT_PATH, async (_, reply) => {
    const bytes = await script()
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', `public, max-age=${API_LIMITS.scriptSeconds}`)
      .send(bytes)
  })
}

/** In one file with the call that starts it, so that the page needs no inline script. */
async function readScript(): Promise<Buffer> {
  const bundle = await readFile(join(packageRoot, 'dist/reference/scalar.js'), 'utf8')
  const start = `Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)})`
  return Buffer.from(`${withoutEval(bundle)}\n${start}\n`)
}

/**
 * The only place that would compile code merely tests whether it may, and all works without. The test itself violates
 * the policy, which browsers report, so its result is fixed here.
 */
const withoutEval = (bundle: string) => bundle.replace('try{return new Function(""),!0}', 'try{return!1}')
