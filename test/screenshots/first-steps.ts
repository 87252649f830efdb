import { join } from 'node:path'

import { test } from 'vitest'

import { setOperator } from '../../server/modules/employees/index.ts'
import { createKeyRing } from '../../server/platform/crypto/key-ring.ts'
import { packageRoot } from '../../server/platform/package-root.ts'
import { localStorage } from '../../server/providers/storage/local.ts'
import { createDemo } from '../../server/wiring/demo.ts'
import { tellStory } from '../../server/wiring/story/tell-story.ts'
import { apiClient } from '../harness/api-client.ts'
import { startCompleteBrowser } from '../harness/browser/browser.ts'
import { signInAtDashboard } from '../harness/browser/dashboard.ts'
import { PASSWORD } from '../harness/browser/sign-in.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'
import { newEmployee } from '../harness/employees.ts'

const folder = join(packageRoot, 'docs/screenshots')

// With a microphone.
startCompleteBrowser('--use-fake-device-for-media-stream')

// With an edge, so that the phone is ready.
const KEY = { id: '1', secret: 'x'.repeat(43) }
const { bellhop } = await openPhoneSystem({
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
  MESSAGE_KEYS: `${KEY.id}:${KEY.secret}`,
  SIP_SIMULATOR: 'on',
  SIP_TRUNKS: '[]',
})

test('takes screenshots of the first steps, in the demo and in an empty company', async () => {
  const story = {
    storage: localStorage(join(bellhop.dataDir, 'files')),
    texts: createKeyRing([KEY]),
    now: new Date(),
  }
  const demo = await bellhop.db.tx((tx) => createDemo(tx, (inside, cast) => tellStory(inside, story, cast)))
  await apiClient(bellhop.url, demo.apiKey).post('/simulated_texts')
  const { companyId } = await bellhop.newCompany({ messaging: true })
  const owner = { name: 'Olga Dam', email: 'olga@dam.example', password: PASSWORD }
  const { id } = await bellhop.db.tx((tx) => newEmployee(tx, companyId, owner))
  await bellhop.db.tx((tx) => setOperator(tx, id, true))
  for (const [name, colorScheme, who] of [
    ['first-steps-light', 'light', demo],
    ['first-steps-empty-dark', 'dark', owner],
  ] as const) {
    const { page } = await signInAtDashboard(bellhop, who)
    await page.setViewportSize({ width: 1360, height: 850 })
    await page.emulateMedia({ colorScheme })
    await page.getByRole('region', { name: 'Get started' }).waitFor()
    await page.waitForSelector('[data-phone=ready]')
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }
})
