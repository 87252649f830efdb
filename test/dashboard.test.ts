import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import openapiTS from 'openapi-typescript'
import { beforeAll, describe, expect, test } from 'vitest'

import { packageRoot } from '../server/platform/package-root.ts'
import { type Harness, harness } from './harness/index.ts'

/** What a browser loads before it can show a page, without the softphone. */
const FIRST_LOAD_BYTES_MAX = 300_000

let bellhop: Harness
beforeAll(async () => {
  bellhop = await harness()
})

test('the types of its client match docs/openapi.json: `npm run api-types` regenerates them', async () => {
  const document = JSON.parse(await readFile(join(packageRoot, 'docs/openapi.json'), 'utf8'))
  const kept = await readFile(join(packageRoot, 'web/api/schema.ts'), 'utf8')
  expect(kept.trim()).toBe((await openapiTS(document)).trim())
})

describe('the document', () => {
  test('is the same on every path of the dashboard, and on no other path', async () => {
    const home = await (await fetch(bellhop.url)).text()
    expect(home).toContain('<div id="app">')
    const names = await placesOfNavigation()
    expect(names.length).toBeGreaterThan(8)
    for (const path of [...names, '/inbox/+4520112233', '/numbers/num_1/menu']) {
      const answer = await fetch(bellhop.url + path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, home])
    }
    expect((await fetch(`${bellhop.url}/elsewhere`)).status).toBe(404)
  })

  test.each(['messages', 'delivery_reports', 'sms', 'anything', 'a/b'])(
    'is not at /webhooks/simulator/%s, which is for providers: 404 as JSON',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const headers = { accept: 'text/html' }
        const answer = await fetch(`${bellhop.url}/webhooks/simulator/${path}`, { method, headers })
        expect([method, answer.status]).toEqual([method, 404])
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
        if (method === 'GET') expect((await answer.json()).error).toBe('not_found')
      }
    },
  )

  test('runs only our scripts, and connects only to us', async () => {
    const { headers } = await fetch(bellhop.url)
    const policy = headers.get('content-security-policy')!.split('; ')
    const host = new URL(bellhop.url).host
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain(`connect-src 'self' ws://${host} wss://${host}`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is not sent again to a browser that has it cached', async () => {
    const { headers } = await fetch(bellhop.url)
    expect(headers.get('cache-control')).toBe('no-cache')
    const again = await fetch(bellhop.url, { headers: { 'if-none-match': headers.get('etag')! } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const other = await fetch(bellhop.url, { headers: { 'if-none-match': '"another"' } })
    expect(other.status).toBe(200)
  })

  test('has a service worker for all its pages, which is looked up anew and may ask for nothing', async () => {
    const { status, headers } = await fetch(`${bellhop.url}/service-worker.js`)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'",
    })
    const again = await fetch(`${bellhop.url}/service-worker.js`, {
      headers: { 'if-none-match': headers.get('etag')! },
    })
    expect(again.status).toBe(304)
  })
})

describe('an unknown path', () => {
  const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'da' }

  test.each(['/elsewhere', '/contact', '/numbrs/num_1?a=1', '/sign-inn'])(
    '%s is a page for a browser, in its language, and JSON for others',
    async (path) => {
      const page = await fetch(bellhop.url + path, { headers: NAVIGATION })
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(await page.text()).toContain('<h1>Ikke fundet</h1>')
      for (const init of [{ headers: { accept: '*/*' } }, { method: 'POST', headers: NAVIGATION }]) {
        const answer = await fetch(bellhop.url + path, init)
        expect([answer.status, (await answer.json()).error]).toEqual([404, 'not_found'])
      }
    },
  )

  test.each([
    '/api/v1/nothing',
    '/api',
    '/oauth/nothing',
    '/.well-known/nothing',
    '/mcp/nothing',
    '/dashboard/a.js',
  ])('%s is JSON for everybody', async (path) => {
    const answer = await fetch(bellhop.url + path, { headers: NAVIGATION })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })
})

describe('the files', () => {
  test('of a first load are small, and immutable', async () => {
    const [document, ...files] = await firstLoad()
    expect(files.map(({ path }) => path.split('.').at(-1))).toEqual(expect.arrayContaining(['css', 'js']))
    for (const { path, headers } of files) {
      expect(path).toMatch(/-[\w-]{8}\.\w+$/)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    const bytes = [document!, ...files].reduce((sum, { bytes }) => sum + bytes, 0)
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX)
  })

  test('that do not exist are 404, however they are requested', async () => {
    for (const name of ['nothing.js', '..%2findex.html', '..%2f..%2fpackage.json']) {
      expect((await fetch(`${bellhop.url}/dashboard/${name}`)).status).toBe(404)
    }
  })
})

async function placesOfNavigation(): Promise<string[]> {
  const source = await readFile(join(packageRoot, 'web/shell/navigation-items.ts'), 'utf8')
  return [...source.matchAll(/to: '([^']+)'/g)].map(([, path]) => path!)
}

/** The document, the files it names, and what those import before anything is shown, as compressed on the wire. */
async function firstLoad() {
  const loaded = [await load('/')]
  const document = loaded[0]!.text
  const asked = new Set([...document.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!))
  for (const path of asked) {
    const file = await load(path)
    loaded.push(file)
    const imports = file.text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)
    for (const [, name] of imports) asked.add(`/dashboard/${name}`)
    // The first page after signing in.
    for (const [, name] of file.text.matchAll(/["'`](?:\.\/)?(inbox-page-[^"'`]+\.js)["'`]/g))
      asked.add(`/dashboard/${name}`)
  }
  return loaded
}

async function load(path: string) {
  return new Promise<{ path: string; headers: Headers; bytes: number; text: string }>((resolve, reject) => {
    request(bellhop.url + path, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const body = Buffer.concat(chunks)
        const headers = new Headers(answer.headers as Record<string, string>)
        resolve({ path, headers, bytes: body.length, text: gunzipSync(body).toString() })
      })
    })
      .on('error', reject)
      .end()
  })
}
