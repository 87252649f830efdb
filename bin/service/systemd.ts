import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Log } from '../../server/platform/log.ts'

/**
 * Tells systemd what a unit of `Type=notify` waits for; nothing if it did not start us. Node cannot send to the socket,
 * which takes datagrams of the Unix family, so systemd's own command does it.
 */
export async function notifySystemd(state: 'READY=1' | 'STOPPING=1', log: Log): Promise<void> {
  if (!process.env.NOTIFY_SOCKET) return
  try {
    await promisify(execFile)('systemd-notify', [state])
  } catch (err) {
    log.warn({ err }, 'systemd cannot be told the state of this process: is systemd-notify on the PATH?')
  }
}
