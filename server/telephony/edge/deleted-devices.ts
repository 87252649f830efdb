import {
  type DeletedDevice,
  deletedUsernames,
  DEVICE_DELETED_CHANNEL,
  parseDeletedDevice,
  updateAvailabilityAfterDeletion,
} from '../../modules/devices/index.ts'
import { inBackground } from '../../platform/background.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { UserAgent } from '../../sip/index.ts'
import type { EdgeRegistrations } from './registrations.ts'

interface GoneDeviceParts extends Dependencies<'db' | 'pubsub' | 'log'> {
  ua: UserAgent
  registrations: EdgeRegistrations
}

/** Deregisters deleted devices here, and ends their subscriptions. The database refuses their requests anyway. */
export async function forgetDeletedDevices(parts: GoneDeviceParts): Promise<void> {
  const { db, pubsub, log, ua, registrations } = parts

  async function forget(gone: DeletedDevice): Promise<void> {
    const { username } = gone
    const isRegistered = (await registrations.list(username)).length > 0
    if (isRegistered || ua.subscribers().includes(username)) await ua.forget(username)
    if (!isRegistered) return
    await updateAvailabilityAfterDeletion(db, gone)
  }

  async function check(): Promise<void> {
    const here = new Set([...registrations.usernames(), ...ua.subscribers()])
    for (const username of await deletedUsernames(db.sql, [...here])) await ua.forget(username)
  }

  await pubsub.subscribe(DEVICE_DELETED_CHANNEL, {
    onMessage: (text) =>
      inBackground(log, 'deregister a deleted device', () => forget(parseDeletedDevice(text))),
    onGap: () => inBackground(log, 'look for deleted devices', check),
  })
}
