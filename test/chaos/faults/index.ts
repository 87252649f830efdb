import { clockStepped } from './clock-stepped.ts'
import { connectionsCut } from './connections-cut.ts'
import { connectionsSilent } from './connections-silent.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { listenersCut } from './listeners-cut.ts'
import { postgresKilled } from './postgres-killed.ts'
import { postgresRestarted } from './postgres-restarted.ts'
import { postgresStopped } from './postgres-stopped.ts'
import { processFrozen } from './process-frozen.ts'
import { processKilled } from './process-killed.ts'
import { readOnly } from './read-only.ts'
import { smsProviderAway } from './sms-provider-away.ts'
import { spoolFull } from './spool-full.ts'
import { statementsTimeOut } from './statements-time-out.ts'
import { storageAway } from './storage-away.ts'
import { tablesLocked } from './tables-locked.ts'

export const FAULTS: Fault[] = [
  processKilled,
  processFrozen,
  postgresStopped,
  postgresRestarted,
  postgresKilled,
  readOnly,
  diskFull,
  tablesLocked,
  statementsTimeOut,
  connectionsCut,
  connectionsSilent,
  listenersCut,
  storageAway,
  smsProviderAway,
  clockStepped,
  spoolFull,
]
