import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AppError } from '../../platform/errors.ts'
import { FORM, readForm } from '../../platform/http/form.ts'
import { html } from '../../platform/http/html.ts'
import { page as layout, STYLESHEET_PATH } from '../../platform/http/layout.ts'
import { type Page, type PageReply, show } from '../../platform/http/page.ts'
import { texts } from '../../platform/http/texts.ts'
import { viewerPreferencesOf } from '../../platform/http/viewer-preferences.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { API_LIMITS } from '../limits.ts'
import { appErrorOf, discardRest } from '../reply/error-replies.ts'
import { AS_FORM } from '../request/bodies.ts'
import { noteRequest } from '../request/request-log.ts'
import { originOf } from '../request/request-origin.ts'
import type { ServeDocument } from './dashboard.ts'
import { languagePage } from './language-page.ts'

const fromElsewhere = new AppError({
  status: 403,
  code: 'cross_origin_form',
  message: 'This form was sent from another site. Open the page here and send it again.',
})

interface PageOptions {
  pages: Page[]
  baseUrl?: string
  /** The document of the dashboard. */
  serveDocument: ServeDocument
}

/** Serves the pages for browsers. */
export async function servePages(
  app: FastifyInstance,
  { pages, baseUrl, serveDocument }: PageOptions,
): Promise<void> {
  await app.register(async (scope) => {
    acceptForms(scope)
    scope.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply))
    for (const page of [...pages, languagePage]) {
      scope.route({
        method: page.method,
        url: page.path,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          noteRequest(request)
          // A client that sends neither header is not a browser, and has no cookies to abuse.
          if (page.method === 'POST' && originOf(request, baseUrl) === 'elsewhere') throw fromElsewhere
          if (opensInDashboard(page, request)) return serveDocument(request, reply)
          return send(reply, await page.handle(pageRequestOf(page, request)))
        },
      })
    }
    const stylesheet = readFileSync(join(packageRoot, 'server/platform/http/pages.css'))
    scope.get(STYLESHEET_PATH, async (_, reply) =>
      reply
        .type('text/css; charset=utf-8')
        .header('cache-control', `public, max-age=${API_LIMITS.stylesheetSeconds}`)
        .send(stylesheet),
    )
  })
}

/**
 * The dashboard shows the pages of the account within itself: its script asks for them without preferring HTML, as
 * browsers do when they open an address. Not the setup of a second factor, which a company may require before the
 * dashboard can be used, and not the window in which somebody signs in again, which needs no second phone.
 */
const opensInDashboard = ({ method, path }: Page, { url, headers }: FastifyRequest) =>
  method === 'GET' &&
  /^\/account(?!\/two-factor\/setup)/.test(path) &&
  !url.endsWith('?standalone') &&
  (headers.accept ?? '').includes('text/html')

/** Keeps repeated fields, for those who must refuse them. */
function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM, AS_FORM, async (_: unknown, text: string) => readForm(text))
}

function pageRequestOf({ method }: Page, request: FastifyRequest) {
  const { url, params, body, headers, ip } = request
  const start = url.indexOf('?')
  return {
    method,
    url,
    params: params as Record<string, string>,
    query: readForm(start === -1 ? '' : url.slice(start + 1)),
    form: body instanceof URLSearchParams ? body : new URLSearchParams(),
    headers,
    address: ip,
    reader: { ...viewerPreferencesOf(headers), ...(method === 'GET' && { at: url }) },
  }
}

function send(reply: FastifyReply, answer: PageReply): FastifyReply {
  const { status, html, file, headers, cookies, formTargets } = answer
  reply
    .code(status)
    .headers({
      'content-security-policy': contentSecurityPolicy(formTargets),
      'cross-origin-resource-policy': 'same-origin',
      // Nothing is sent to other sites; no-referrer would also remove Origin from our own forms.
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    .headers(headers)
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  if (file) return reply.type(file.type).send(file.text)
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

/** By error code, for languages other than that of the error. */
const NO_REASONS: Record<string, string> = {}

const TEXTS = texts(
  {
    notFound: 'Not found',
    ours: 'Something went wrong',
    refused: 'That did not work',
    start: 'Go to the start page',
    reasons: NO_REASONS,
    otherReason: (message: string) => message,
  },
  {
    da: {
      notFound: 'Ikke fundet',
      ours: 'Noget gik galt',
      refused: 'Det lykkedes ikke',
      start: 'Gå til forsiden',
      reasons: {
        not_found: 'Der er ikke noget her med det id eller den adresse.',
        internal_error: 'Noget gik galt hos os. Prøv igen om et øjeblik.',
        cross_origin_form: 'Formularen blev sendt fra et andet websted. Åbn siden her, og send den igen.',
        stale_form: 'Formularen er forældet. Gå tilbage, indlæs siden igen, og send den én gang til.',
        body_too_large: 'Det, der blev sendt, er for stort.',
      },
      otherReason: () => 'Det, der blev sendt, kunne ikke læses.',
    },
    de: {
      notFound: 'Nicht gefunden',
      ours: 'Etwas ist schiefgelaufen',
      refused: 'Das hat nicht geklappt',
      start: 'Zur Startseite',
      reasons: {
        not_found: 'Unter dieser ID oder Adresse gibt es hier nichts.',
        internal_error: 'Bei uns ist etwas schiefgelaufen. Versuch es gleich noch einmal.',
        cross_origin_form:
          'Das Formular wurde von einer anderen Website gesendet. Öffne die Seite hier und sende es noch einmal.',
        stale_form: 'Das Formular ist veraltet. Geh zurück, lade die Seite neu und sende es noch einmal.',
        body_too_large: 'Was gesendet wurde, ist zu groß.',
      },
      otherReason: () => 'Was gesendet wurde, konnte nicht gelesen werden.',
    },
    sv: {
      notFound: 'Hittades inte',
      ours: 'Något gick fel',
      refused: 'Det gick inte',
      start: 'Gå till startsidan',
      reasons: {
        not_found: 'Det finns inget här med det id:t eller den adressen.',
        internal_error: 'Något gick fel hos oss. Försök igen om en stund.',
        cross_origin_form:
          'Formuläret skickades från en annan webbplats. Öppna sidan här och skicka det igen.',
        stale_form: 'Formuläret är inaktuellt. Gå tillbaka, läs in sidan igen och skicka det en gång till.',
        body_too_large: 'Det som skickades är för stort.',
      },
      otherReason: () => 'Det som skickades gick inte att läsa.',
    },
  },
)

export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = appErrorOf(error, request)
  const { status, code, message, headers } = answer
  discardRest(answer, request, reply)
  const reader = viewerPreferencesOf(request.headers)
  const t = TEXTS[reader.language]
  const title = status === 404 ? t.notFound : status >= 500 ? t.ours : t.refused
  const body = html`<p>${t.reasons[code] ?? t.otherReason(message)}</p>
    <p><a href="/">${t.start}</a></p>`
  return send(reply, show(layout(reader, { title, body }), { status, headers }))
}
