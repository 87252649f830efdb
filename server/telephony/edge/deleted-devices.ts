import {
  DEVICE_GONE,
  type GoneDevice,
  goneDevices,
  readGoneDevice,
  settleAfterLoss,
} from '../../modules/devices/index.ts'
import { inBackground } from '../../platform/background.ts'
import type { Database } from '../../platform/db/database.ts'
import type { PubSub } from '../../platform/db/pubsub.ts'
import type { Log } from '../../platform/log.ts'
import type { UserAgent } from '../../sip/index.ts'
import type { EdgeRegistrations } from './registrations.ts'

interface GoneDeviceParts {
  db: Database
  pubsub: PubSub
  log: Log
  ua: UserAgent
  registrations: EdgeRegistrations
}

/** Deregisters deleted devices here. The database refuses their requests anyway. */
export async function forgetGoneDevices(parts: GoneDeviceParts): Promise<void> {
  const { db, pubsub, log, ua, registrations } = parts

  async function forget(gone: GoneDevice): Promise<void> {
    if ((await registrations.list(gone.username)).length === 0) return
    await ua.forget(gone.username)
    await settleAfterLoss(db, gone)
  }

  async function look(): Promise<void> {
    for (const username of await goneDevices(db.sql, registrations.usernames())) await ua.forget(username)
  }

  await pubsub.subscribe(DEVICE_GONE, {
    onMessage: (text) => inBackground(log, 'deregister a deleted device', () => forget(readGoneDevice(text))),
    onGap: () => inBackground(log, 'look for deleted devices', look),
  })
}
