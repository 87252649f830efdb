import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AppError } from '../platform/errors.ts'
import { html } from '../platform/http/html.ts'
import { page as layout, STYLESHEET_PATH } from '../platform/http/layout.ts'
import { type Page, type PageReply, show } from '../platform/http/page.ts'
import { packageRoot } from '../platform/package-root.ts'
import { FORM } from './bodies.ts'
import { appErrorOf } from './error-replies.ts'
import { originOf } from './request-origin.ts'

const LIMITS = { stylesheetSeconds: 300 }

const fromElsewhere = new AppError({
  status: 403,
  code: 'cross_origin_form',
  message: 'This form was sent from another site. Open the page here and send it again.',
})

/** Serves the pages that people see in a browser. */
export async function servePages(
  app: FastifyInstance,
  { pages, baseUrl }: { pages: Page[]; baseUrl?: string },
): Promise<void> {
  await app.register(async (scope) => {
    acceptForms(scope)
    scope.setErrorHandler((error, request, reply) => sendError(error, request, reply))
    for (const page of pages) {
      scope.route({
        method: page.method,
        url: page.path,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          // Whoever says nothing is no browser, and has no cookies to be abused.
          if (page.method === 'POST' && originOf(request, baseUrl) === 'elsewhere') throw fromElsewhere
          return send(reply, await page.handle(pageRequestOf(page, request)))
        },
      })
    }
    const stylesheet = readFileSync(join(packageRoot, 'server/platform/http/pages.css'))
    scope.get(STYLESHEET_PATH, async (_, reply) =>
      reply
        .type('text/css; charset=utf-8')
        .headers({
          'cache-control': `public, max-age=${LIMITS.stylesheetSeconds}`,
          'x-content-type-options': 'nosniff',
        })
        .send(stylesheet),
    )
  })
}

/** Repeated fields are kept, for those who must refuse them. */
function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_, text, done) =>
    done(null, new URLSearchParams(text as string)),
  )
}

function pageRequestOf({ method }: Page, request: FastifyRequest) {
  const { url, params, body, headers, ip } = request
  const start = url.indexOf('?')
  return {
    method,
    url,
    params: params as Record<string, string>,
    query: new URLSearchParams(start === -1 ? '' : url.slice(start)),
    form: body instanceof URLSearchParams ? body : new URLSearchParams(),
    headers,
    address: ip,
  }
}

function send(reply: FastifyReply, { status, html, headers, cookies, formTargets }: PageReply): FastifyReply {
  reply
    .code(status)
    .headers({
      // Every page is about one person, or has a secret in its address.
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy(formTargets),
      'cross-origin-resource-policy': 'same-origin',
      // Nothing goes to other sites; no-referrer would also take Origin from our own forms.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    .headers(headers)
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return html ? reply.type('text/html; charset=utf-8').send(html.text) : reply.send()
}

const contentSecurityPolicy = (formTargets: string[]) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message, headers } = appErrorOf(error, request)
  const title = status === 404 ? 'Not found' : status >= 500 ? 'Something went wrong' : 'That did not work'
  const body = html`<p>${message}</p>
    <p><a href="/">Go to the start page</a></p>`
  return send(reply, show(layout({ title, body }), { status, headers }))
}
