import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

/** Whatever the page's script would like to load, it comes from this server or not at all. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
].join('; ')

/** The API's document at /openapi.json, and a page to read it with at /docs. */
export async function serveReference(app: FastifyInstance, document: object): Promise<void> {
  const text = `${JSON.stringify(document, null, 2)}\n`
  app.get('/openapi.json', async (_, reply) => reply.type('application/json; charset=utf-8').send(text))
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Bellhop API',
      theme: 'default',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
    },
    hooks: {
      onRequest(_, reply, done) {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
        done()
      },
    },
  })
}
