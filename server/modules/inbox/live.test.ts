import { beforeAll, expect, test, vi } from 'vitest'

import { newCall } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'
import { DEADLINE, messagesOf, openCable } from '../../../test/harness/peers/cable-socket.ts'

let bellhop: Harness
beforeAll(async () => {
  bellhop = await harness()
})

test.each(['/inbox/+4520112233/seen', '/calls/seen'])(
  'a live message is published when the unseen items change: %s',
  async (path) => {
    const company = await bellhop.newCompany()
    await newCall(company)
    const through = (await company.api.get('/inbox/+4520112233/activity')).body.observed_at
    const cable = await openCable(bellhop.url, company)
    await company.api.post(path, { through })
    await vi.waitFor(() => expect(messagesOf(cable)).toEqual([{ type: 'unseen_update' }]), DEADLINE)
  },
)
