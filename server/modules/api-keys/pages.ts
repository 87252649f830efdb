import type { Dependencies } from '../../platform/dependencies.ts'
import { html, type Html } from '../../platform/http/html.ts'
import { askedNotice, notice, table, unseen } from '../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../platform/http/page.ts'
import { timeAgo } from '../../platform/http/time-ago.ts'
import type { ViewerPreferences } from '../../platform/http/viewer-preferences.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { accountPage, csrfField, nameForm, type Guard, type Session } from '../sign-in/index.ts'
import { createApiKey, KEYS_PER_EMPLOYEE, KeyCreate, revokeOwnApiKey } from './api-keys.ts'
import { keyTexts } from './page-texts.ts'
import { selectKeysOf } from './queries.ts'

const PATH = '/account/api-keys'

interface KeyPageParts extends Dependencies<'db' | 'clock'> {
  signedIn: Guard
}

/** Where employees create the API keys of their own programs. */
export function apiKeyPages({ db, clock, signedIn }: KeyPageParts): Page[] {
  const keysPage = async (reader: ViewerPreferences, session: Session, above: Above = {}) => {
    const t = keyTexts[reader.language]
    const keys = await selectKeysOf(db.sql, session.employee.id)
    const body = html`${above.said}
      <p class="soft">${t.lead(session.company.name)} <a href="/docs">${t.reference}</a></p>
      ${nameForm(session, { action: PATH, heading: t.make, label: t.purpose, button: t.makeButton, ...above.typed })}
      ${keyList(reader, session, keys, clock.now())}`
    return accountPage(reader, session, { place: 'apiKeys', title: t.title, body })
  }

  const list = signedIn(async ({ query, reader }, session) => {
    const said = askedNotice(keyTexts[reader.language].notices, query)
    return show(await keysPage(reader, session, { said }))
  })

  const create = signedIn(async ({ form, reader }, session) => {
    const t = keyTexts[reader.language]
    const typed = form.get('name') ?? ''
    const refuse = async (error: string) =>
      show(await keysPage(reader, session, { typed: { name: typed, error } }), { status: 422 })
    const input = KeyCreate.safeParse({ name: typed })
    if (!input.success) return refuse(typed.trim() === '' ? t.blankName : t.unusableName)
    const { name } = input.data
    if ((await selectKeysOf(db.sql, session.employee.id)).length >= KEYS_PER_EMPLOYEE)
      return refuse(t.tooMany(KEYS_PER_EMPLOYEE))
    const { key } = await db.tx((tx) => createApiKey(tx, session.employee.id, name))
    return show(await keysPage(reader, session, { said: newKey(reader, name, key) }), { status: 201 })
  })

  const revoke = signedIn(async ({ params }, { actor }) => {
    const id = decodeId('key', params.id!)
    await db.tx((tx) => revokeOwnApiKey(tx, actor, id))
    return redirectTo(`${PATH}?notice=revoked`)
  })

  return [
    { method: 'GET', path: PATH, handle: list },
    { method: 'POST', path: PATH, handle: create },
    { method: 'POST', path: `${PATH}/:id/revoke`, handle: revoke },
  ]
}

interface Above {
  said?: Html
  /** The submitted name, and what is wrong with it. */
  typed?: { name: string; error: string }
}

/** The key is shown only here. */
function newKey({ language }: ViewerPreferences, name: string, key: string): Html {
  const t = keyTexts[language]
  return html`<section class="section" aria-label="${t.newKey}">
    ${notice('success', t.made(name))}
    <p>${t.copy}</p>
    <p><code class="secret" id="new-key">${key}</code></p>
    <p class="soft">${t.header} <code>X-Api-Key</code>.</p>
  </section>`
}

type ListedKey = Awaited<ReturnType<typeof selectKeysOf>>[number]

function keyList(reader: ViewerPreferences, session: Session, keys: ListedKey[], now: Date): Html {
  const t = keyTexts[reader.language]
  const headings = [t.name, t.madeAt, t.lastUsed, unseen(t.revoke)]
  const rows = keys.map((key) => keyRow(reader, session, key, now))
  return html`<section class="section">
    <h2>${t.yours}</h2>
    ${keys.length === 0 ? html`<p class="soft">${t.none}</p>` : table(headings, rows)}
  </section>`
}

function keyRow({ language }: ViewerPreferences, session: Session, key: ListedKey, now: Date): Html {
  const t = keyTexts[language]
  const { id, name, created_at, last_used_at } = key
  return html`<tr>
    <td>${name}</td>
    <td data-label="${t.madeAt}">${timeAgo(created_at, now, language)}</td>
    <td data-label="${t.lastUsed}">${last_used_at ? timeAgo(last_used_at, now, language) : t.never}</td>
    <td>
      <form method="post" action="${PATH}/${encodeId('key', id)}/revoke">
        ${csrfField(session)}<button class="danger small" aria-label="${t.revokeKey(name)}">
          ${t.revoke}
        </button>
      </form>
    </td>
  </tr>`
}
