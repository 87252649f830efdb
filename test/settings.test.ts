import { expect, test } from 'vitest'

import { settingsPage } from './harness/settings-page.ts'

test('every setting is in docs/operating/configure.md: `npm run settings-page` writes it', async () => {
  await expect(await settingsPage()).toMatchFileSnapshot('../docs/operating/configure.md')
})
