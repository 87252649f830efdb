import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { fieldErrors } from '../../platform/errors.ts'
import { html, type Html } from '../../platform/http/html.ts'
import { field, notice, page } from '../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../platform/http/page.ts'
import { timeAgo } from '../../platform/http/time-ago.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { csrfField, type Guard, type Session, signedInBar } from '../sign-in/index.ts'
import { createApiKey, KEYS_PER_EMPLOYEE, KeyCreate, revokeOwnApiKey } from './api-keys.ts'
import { selectKeysOf } from './queries.ts'

const PATH = '/account/api-keys'

const NOTICES: Record<string, string> = { revoked: 'The key is revoked: nothing can use it any more.' }

interface KeyPageParts {
  db: Database
  clock: Clock
  signedIn: Guard
}

/** Where employees make the keys that their own programs use. */
export function apiKeyPages({ db, clock, signedIn }: KeyPageParts): Page[] {
  const keysPage = async (session: Session, above: Above = {}) => {
    const keys = await selectKeysOf(db.sql, session.employee.id)
    const body = html`${above.said}
      <p class="soft">A key lets a program use the API as you, for ${session.company.name}.</p>
      ${createForm(session, above)} ${keyList(session, keys, clock.now())}
      <p><a href="/account">Back to your account</a> · <a href="/docs">API reference</a></p>`
    return page({ title: 'API keys', wide: true, bar: signedInBar(session), body })
  }

  const list = signedIn(async ({ query }, session) => {
    const said = NOTICES[query.get('notice') ?? '']
    return show(await keysPage(session, said ? { said: notice('success', said) } : {}))
  })

  const create = signedIn(async ({ form }, session) => {
    const input = KeyCreate.safeParse({ name: form.get('name') ?? '' })
    if (!input.success) {
      const error = `The name ${fieldErrors(input.error).name?.join(' and ')}.`
      return show(await keysPage(session, { error, name: form.get('name') ?? '' }), { status: 422 })
    }
    const { name } = input.data
    if ((await selectKeysOf(db.sql, session.employee.id)).length >= KEYS_PER_EMPLOYEE) {
      const error = `You have ${KEYS_PER_EMPLOYEE} keys, which is the most. Revoke one first.`
      return show(await keysPage(session, { error, name }), { status: 422 })
    }
    const { key } = await db.tx((tx) => createApiKey(tx, session.employee.id, name))
    return show(await keysPage(session, { said: newKey(name, key) }), { status: 201 })
  })

  const revoke = signedIn(async ({ params }, { company, employee }) => {
    const id = decodeId('key', params.id!)
    const actor = { companyId: company.id, employeeId: employee.id }
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
  /** What is wrong with the name that was entered. */
  error?: string
  name?: string
}

/** The only time that it is shown. */
const newKey = (name: string, key: string) =>
  html`<section class="section" aria-label="Your new key">
    ${notice('success', `The key “${name}” is made.`)}
    <p>Copy it now: it is not shown again.</p>
    <p><code class="secret" id="new-key">${key}</code></p>
    <p class="soft">Programs send it in the header <code>X-Api-Key</code>.</p>
  </section>`

const createForm = (session: Session, { error, name }: Above) =>
  html`<section class="section">
    <h2>Make a key</h2>
    <form class="inline" method="post" action="${PATH}">
      ${csrfField(session)}
      ${field({
        name: 'name',
        label: 'What it is for',
        value: name,
        autocomplete: 'off',
        maxLength: 128,
        error,
      })}
      <button>Make key</button>
    </form>
  </section>`

type ListedKey = Awaited<ReturnType<typeof selectKeysOf>>[number]

const keyList = (session: Session, keys: ListedKey[], now: Date) =>
  html`<section class="section">
    <h2>Your keys</h2>
    ${
      keys.length === 0
        ? html`<p class="soft">You have none yet.</p>`
        : html`<table>
            <thead>
              <tr>
                <th>Name</th>
                <th>Made</th>
                <th>Last used</th>
                <th><span class="unseen">Revoke</span></th>
              </tr>
            </thead>
            <tbody>
              ${keys.map((key) => keyRow(session, key, now))}
            </tbody>
          </table>`
    }
  </section>`

const keyRow = (session: Session, { id, name, created_at, last_used_at }: ListedKey, now: Date) =>
  html`<tr>
    <td>${name}</td>
    <td data-label="Made">${timeAgo(created_at, now)}</td>
    <td data-label="Last used">${last_used_at ? timeAgo(last_used_at, now) : 'never'}</td>
    <td>
      <form method="post" action="${PATH}/${encodeId('key', id)}/revoke">
        ${csrfField(session)}<button class="danger small" aria-label="Revoke ${name}">Revoke</button>
      </form>
    </td>
  </tr>`
