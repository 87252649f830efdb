import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeAll, expect, test } from 'vitest'

import { LIVE_CHANNEL_LIMITS } from '../server/api/live-channel/limits.ts'
import { encodeId } from '../server/platform/ids.ts'
import { packageRoot } from '../server/platform/package-root.ts'
import { type Harness, harness } from './harness/index.ts'
import { DEADLINE } from './harness/peers/cable-socket.ts'
import { oauthApplication } from './harness/peers/oauth.ts'

let bellhop: Harness
let page: string

beforeAll(async () => {
  bellhop = await harness()
  page = await readFile(join(packageRoot, 'docs', 'live-channel.md'), 'utf8')
})

const running: { kill(): void }[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

/** What a browser has and Node 20 does not. */
const BROWSER = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module'
  const { WebSocket } = createRequire(${JSON.stringify(import.meta.url)})('ws')
  Object.assign(globalThis, { WebSocket, addEventListener() {}, removeEventListener() {} })`)}`

test.each(['from a page', 'from a program'])(
  'the example that connects %s receives a change',
  async (title) => {
    const company = await bellhop.newCompany()
    const [, example] = new RegExp(`## Connect ${title}\n\n\`\`\`js\n(.*?)\`\`\``, 's').exec(page)!
    const { accessToken } = await oauthApplication(bellhop).newTokens(company)
    const source = `
    const apiKey = '${company.key}'
    const accessToken = '${accessToken}'
    const readEverything = () => console.log('connected')
    ${example!.replace('ws://127.0.0.1:3000', bellhop.url.replace('http', 'ws'))}`
    const child = spawn(process.execPath, ['--import', BROWSER, '--input-type=module', '-e', source], {
      cwd: packageRoot,
      env: { PATH: process.env.PATH },
    })
    running.push(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    const id = encodeId('emp', company.employeeId)
    // The example for programs does not report when it is connected, so changes are made until it has received one.
    let enabled = false
    await expect
      .poll(
        async () => {
          await company.api.put(`/employees/${id}/do_not_disturb`, { enabled: (enabled = !enabled) })
          return said
        },
        { ...DEADLINE, interval: 100 },
      )
      .toMatch(new RegExp(`type: 'presence_update',\\s+employee_id: '${id}'`))
  },
)

test('the page states the actual limits', () => {
  const limits = page.split('\n').find((line) => line.startsWith('Limits: '))
  const { messageBytes, messagesPerWindow, windowMs, subscriptionsPerSocket, socketsPerCompany } =
    LIVE_CHANNEL_LIMITS
  expect(limits).toContain(`frames of up to ${messageBytes / 1024} KiB`)
  expect(limits).toContain(`${messagesPerWindow} frames in ${windowMs / 1000} seconds`)
  expect(limits).toContain(`${subscriptionsPerSocket} subscriptions`)
  expect(limits).toContain(`${socketsPerCompany.toLocaleString('en')} connections of a company`)
  expect(limits).toContain(`more than ${LIVE_CHANNEL_LIMITS.waitingBytes / 1024 ** 2} MiB`)
  expect(limits).toContain(
    `one every ${(LIVE_CHANNEL_LIMITS.pingMs * LIVE_CHANNEL_LIMITS.pingsBetweenProofs) / 1000} seconds`,
  )
  expect(page).toContain(
    `every ${LIVE_CHANNEL_LIMITS.pingMs / 1000} seconds; without one for ${(LIVE_CHANNEL_LIMITS.pingMs * 2) / 1000}`,
  )
})
