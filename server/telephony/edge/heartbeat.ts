import { EDGE_HEARTBEAT, type EdgeAddress, recordHeartbeat, registerEdge } from '../../modules/edges/index.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { repeat } from './repeat.ts'

interface HeartbeatParts extends Dependencies<'db' | 'clock' | 'log'> {
  edgeId: string
  address: EdgeAddress
  /** Called after every successful heartbeat. */
  onAlive(found: { has_commands: boolean }): Promise<void>
  /** The edge had been declared dead, and is registered again. */
  onReturned(): Promise<void>
}

/** Sends heartbeats. Returns a function that stops them. */
export function startHeartbeat(parts: HeartbeatParts): () => Promise<void> {
  const { db, log, edgeId, address } = parts

  async function sign(): Promise<void> {
    try {
      const found = await recordHeartbeat(db.sql, edgeId)
      if (!found) {
        log.warn('this edge had been declared dead; it has registered itself again')
        await registerEdge(db.sql, edgeId, address)
        await parts.onReturned()
      }
      await parts.onAlive(found ?? { has_commands: true })
    } catch (err) {
      log.warn({ err }, 'a heartbeat could not be stored')
    }
  }

  return repeat(parts, EDGE_HEARTBEAT.everyMs, sign)
}
