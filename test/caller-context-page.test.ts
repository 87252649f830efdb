import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterEach, beforeAll, expect, test } from 'vitest'

import { LOOK_UP_LIMITS } from '../server/modules/context/limits.ts'
import { packageRoot } from '../server/platform/package-root.ts'
import { CONTEXT_LIMITS, LOOK_UP_FAILURES } from '../server/providers/context/port.ts'
import { type Harness, harness } from './harness/index.ts'

let bellhop: Harness
let page: string

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
  page = await readFile(join(packageRoot, 'docs', 'caller-context.md'), 'utf8')
})

const running: { kill(): void }[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

test('the example of an endpoint is parsed completely, and refuses requests that we did not sign', async () => {
  const company = await bellhop.newCompany()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { body } = await company.api.post('/integrations', { provider: 'custom', label: 'CRM', url })
  startExample(port, body.signing_secret as string)
  await expect
    .poll(async () => (await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined))?.status, {
      timeout: 30_000,
    })
    .toBe(401)
  const { body: answer } = await company.api.get('/caller_context?phone=20112233')
  expect(answer).toMatchObject({
    contexts: [
      {
        provider: 'custom',
        label: 'CRM',
        url: 'https://crm.example/people?phone=%2B4520112233',
        sections: [
          { fields: { length: 3 } },
          { columns: { length: 2 }, rows: [{ values: { frame: 'WBK 7' } }] },
        ],
      },
    ],
    contact: { name: 'Mikkel Dahl', email: 'mikkel@dahl.example', company_name: 'Dahl ApS', note: null },
  })
})

test('the page states the actual limits and reasons', () => {
  const limits = page.split('\n').find((line) => line.startsWith('Limits: '))
  for (const stated of [
    `${CONTEXT_LIMITS.answerMs / 1000} seconds`,
    `${CONTEXT_LIMITS.answerBytes / 1024} KiB`,
    `${CONTEXT_LIMITS.sections} sections`,
    `${CONTEXT_LIMITS.fieldsPerSection} fields`,
    `${CONTEXT_LIMITS.columnsPerTable} columns and ${CONTEXT_LIMITS.rowsPerTable} rows`,
    `labels of ${CONTEXT_LIMITS.labelCharacters} characters, values of ${CONTEXT_LIMITS.valueCharacters.toLocaleString('en')}`,
  ])
    expect(limits).toContain(stated)
  expect(page).toContain(`up to ${LOOK_UP_LIMITS.integrationsPerCompany} integrations`)
  expect(page).toContain(
    `For ${LOOK_UP_LIMITS.freshMs / 1000} seconds, so that the answer is at hand for whoever takes the call; ` +
      `${LOOK_UP_LIMITS.freshAfterFailureMs / 1000} seconds if a system failed`,
  )
  expect(page).toContain(`for ${LOOK_UP_LIMITS.secretOverlapMs / 3_600_000} hours requests carry`)
  for (const reason of LOOK_UP_FAILURES) expect(page).toContain(`\`${reason}\``)
})

function startExample(port: number, secret: string): void {
  const [, example] = /## Write an endpoint.*?```js\n(.*?)```/s.exec(page)!
  const child = spawn(process.execPath, ['--input-type=module', '-e', example!], {
    cwd: packageRoot,
    env: { PORT: String(port), SIGNING_SECRET: secret },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  running.push(child)
}

/** The example takes its port as an argument, so the port must be known before. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
