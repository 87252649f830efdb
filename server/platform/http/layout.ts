import { html, type Html } from './html.ts'
import { texts } from './texts.ts'
import { type Language, PAGE_LANGUAGES, type ViewerPreferences } from './viewer-preferences.ts'

export const STYLESHEET_PATH = '/assets/pages.css'

/** Where a reader chooses the language. */
export const LANGUAGE_PATH = '/language'

const TEXTS = texts(
  { skip: 'Skip to the content', language: 'Language' },
  {
    da: { skip: 'Spring til indholdet', language: 'Sprog' },
    de: { skip: 'Zum Inhalt springen', language: 'Sprache' },
    sv: { skip: 'Hoppa till innehållet', language: 'Språk' },
  },
)

interface PageContent {
  title: string
  body: Html
  /** Above the page, for signed-in employees: made by `signedInHeader` of the sign-in module. */
  bar?: Html
  /** Navigation beside the page. */
  side?: Html
  /** For tables and lists; a form is in a narrow card. */
  wide?: boolean
  /** A path of ours to redirect to. */
  refreshTo?: string
}

/** A complete document: no script, and only our own stylesheet. */
export function page(
  reader: ViewerPreferences,
  { title, body, bar, side, wide = false, refreshTo }: PageContent,
): Html {
  const { language, theme } = reader
  return html`<!doctype html>
    <html ${theme ? html`lang="${language}" data-theme="${theme}"` : html`lang="${language}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${theme ?? 'light dark'}" />
        ${refreshTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${refreshTo}" />`}
        <title>${title} · Bellhop</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${STYLESHEET_PATH}" />
      </head>
      <body>
        <a class="skip" href="#content">${TEXTS[language].skip}</a>
        ${bar ?? html`<header class="brand">${wordmark}</header>`}
        <div class="${side ? 'columns' : 'column'}">
          ${side}
          <main id="content" tabindex="-1" class="${wide ? 'wide' : 'card'}">
            <h1>${title}</h1>
            ${body}
          </main>
        </div>
        ${languageChoice(reader)}
      </body>
    </html>`
}

const languageChoice = ({ language, at }: ViewerPreferences) =>
  at !== undefined &&
  html`<footer>
    <form method="post" action="${LANGUAGE_PATH}" aria-label="${TEXTS[language].language}">
      <input type="hidden" name="at" value="${at}" />
      ${(Object.keys(PAGE_LANGUAGES) as Language[]).map(
        (code) =>
          html`<button
            name="language"
            value="${code}"
            lang="${code}"
            aria-pressed="${String(code === language)}"
          >
            ${PAGE_LANGUAGES[code]}
          </button>`,
      )}
    </form>
  </footer>`

/** A reception bell and the name. */
export const wordmark = html`<span class="wordmark"
  ><svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path
      d="M12 5a8 8 0 0 1 8 8v2H4v-2a8 8 0 0 1 8-8Zm-9.2 12h18.4c.4 0 .8.4.8.8v.4c0 .4-.4.8-.8.8H2.8a.8.8 0 0 1-.8-.8v-.4c0-.4.4-.8.8-.8ZM10.5 2.8h3v1.4h-3z"
    /></svg
  >Bellhop</span
>`

type Tone = 'error' | 'success' | 'info'

/** Read out by screen readers when the page loads. */
export const notice = (tone: Tone, text: string | Html) =>
  html`<p class="notice ${tone}" role="${tone === 'error' ? 'alert' : 'status'}">${text}</p>`

/** The notice that the previous page requested, if it is one of these. */
export function askedNotice(notices: Record<string, string>, query: URLSearchParams): Html | undefined {
  const name = query.get('notice') ?? ''
  return Object.hasOwn(notices, name) ? notice('success', notices[name]!) : undefined
}

export const table = (headings: (string | Html)[], rows: Html[]) =>
  html`<table>
    <thead>
      <tr>
        ${headings.map((heading) => html`<th>${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`

/** Only for screen readers: the heading of a column of buttons. */
export const unseen = (text: string) => html`<span class="unseen">${text}</span>`

interface Field {
  name: string
  /** For a page with two fields of the same name. */
  id?: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string
  /** For password managers and phones. */
  autocomplete: string
  /** Instructions below the label. */
  hint?: string
  /** What is wrong with the value. */
  error?: string
  numeric?: boolean
  /** Visible, also to password managers, but read-only. */
  fixed?: boolean
  focus?: boolean
  maxLength?: number
}

export function field({ name, id = name, label, type = 'text', ...field }: Field): Html {
  const described = [field.hint && `${id}-hint`, field.error && `${id}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${field.hint && html`<p class="hint" id="${id}-hint">${field.hint}</p>`}
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      value="${field.value ?? ''}"
      autocomplete="${field.autocomplete}"
      required
      ${field.fixed && html`readonly`}
      ${field.numeric && html`inputmode="numeric"`}
      ${field.focus && html`autofocus`}
      ${field.maxLength !== undefined && html`maxlength="${field.maxLength}"`}
      ${field.error !== undefined && html`aria-invalid="true"`}
      ${described !== '' && html`aria-describedby="${described}"`}
    />
    ${field.error !== undefined && html`<p class="wrong" id="${id}-error">${field.error}</p>`}
  </div>`
}
