import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { lazyAsync } from '../../platform/async/lazy.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { API_LIMITS } from '../limits.ts'

/** Top-level paths of the dashboard; its router handles what is below. */
const PAGES = [
  'inbox',
  'calls',
  'voicemails',
  'contacts',
  'live',
  'employees',
  'numbers',
  'texting',
  'snippets',
  'company',
  'trunks',
]

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.woff2': 'font/woff2',
}

const notBuilt = new AppError({
  status: 503,
  code: 'dashboard_not_built',
  message: 'The dashboard is not built yet: run `npm run build` and start again.',
})

const compress = promisify(gzip)

interface Asset {
  type: string
  plain: Buffer
  gzipped(): Promise<Buffer>
}

interface RevalidatedAsset extends Asset {
  etag: string
}

export type ServeDocument = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Serves the dashboard, an ordinary client of the API: files, and one document for all its paths. Returns what serves
 * the document, for pages that the dashboard shows within itself.
 */
export function serveDashboard(
  app: FastifyInstance,
  { folder = join(packageRoot, 'dist/web') } = {},
): ServeDocument {
  const assets = readAssets(join(folder, 'dashboard'))
  app.get<{ Params: { name: string } }>('/dashboard/:name', async (request, reply) => {
    const asset = assets.get(request.params.name)
    if (!asset) throw notFound()
    reply.header('cache-control', `public, max-age=${API_LIMITS.assetSeconds}, immutable`)
    return send(request, reply, asset)
  })

  const index = readRevalidated(join(folder, 'index.html'), 'text/html; charset=utf-8')
  const serveIndex: ServeDocument = async (request, reply) => {
    if (!index) throw notBuilt
    reply.headers({
      'content-security-policy': contentSecurityPolicy(request.host),
      'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    return sendRevalidated(request, reply, index)
  }
  app.get('/', serveIndex)
  const worker = readRevalidated(join(folder, 'service-worker.js'), TYPES['.js']!)
  app.get('/service-worker.js', async (request, reply) => {
    if (!worker) throw notFound()
    // It asks for nothing: it shows what is pushed to it.
    reply.header('content-security-policy', "default-src 'none'")
    return sendRevalidated(request, reply, worker)
  })
  for (const page of PAGES) {
    app.get(`/${page}`, serveIndex)
    app.get(`/${page}/*`, serveIndex)
  }
  // Below the id are the callbacks of SMS providers.
  app.get('/webhooks', serveIndex)
  app.get('/webhooks/:id', serveIndex)
  return serveIndex
}

async function send(request: FastifyRequest, reply: FastifyReply, { type, plain, gzipped }: Asset) {
  const zips = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  reply.headers({ 'content-type': type, vary: 'accept-encoding' })
  if (zips) reply.header('content-encoding', 'gzip')
  return reply.send(zips ? await gzipped() : plain)
}

/** Revalidated every time, so that a new version is seen at once; an unchanged one is not sent again. */
async function sendRevalidated(request: FastifyRequest, reply: FastifyReply, asset: RevalidatedAsset) {
  reply.headers({ 'cache-control': 'no-cache', etag: asset.etag })
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  return send(request, reply, asset)
}

/**
 * Only our own script files. Dialogs add a style element that stops the page behind them from scrolling, so inline
 * styles are allowed.
 */
const contentSecurityPolicy = (host: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self'",
    // Not every browser includes WebSockets in 'self'.
    ["connect-src 'self'", ...(isHost(host) ? [`ws://${host}`, `wss://${host}`] : [])].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The client's Host goes into our header, so it must be valid. */
const isHost = (text: string) => /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/.test(text)

function readAssets(folder: string): Map<string, Asset> {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return new Map(
    names.map((name) => [
      name,
      readAsset(join(folder, name), TYPES[extname(name)] ?? 'application/octet-stream'),
    ]),
  )
}

function readRevalidated(path: string, type: string): RevalidatedAsset | undefined {
  if (!existsSync(path)) return undefined
  const asset = readAsset(path, type)
  return { ...asset, etag: `"${createHash('sha256').update(asset.plain).digest('base64url')}"` }
}

function readAsset(path: string, type: string): Asset {
  const plain = readFileSync(path)
  // Off the main thread, which may carry audio, and not at the start, which would take longer.
  return { type, plain, gzipped: lazyAsync(() => compress(plain)) }
}
