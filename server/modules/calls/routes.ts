import type { Route } from '../../platform/http/route.ts'
import { boardRoutes } from './board/routes.ts'
import { activeCallRoutes } from './live/routes.ts'
import { parkingRoutes } from './parking/routes.ts'
import { pickupRoutes } from './pickup/routes.ts'
import type { CallParts } from './record/calls.ts'
import { callRecordRoutes } from './record/routes.ts'
import { recordingControlRoutes } from './recording-control/routes.ts'
import { transferRoutes } from './transfers/routes.ts'
import type { TransferParts } from './transfers/transfers.ts'
import { wrapUpRoutes } from './wrap-up/routes.ts'

export const callRoutes = (parts: CallParts & TransferParts): Route[] => [
  ...boardRoutes(parts),
  ...callRecordRoutes(parts),
  ...activeCallRoutes(parts),
  ...transferRoutes(parts),
  ...pickupRoutes(parts),
  ...parkingRoutes(parts),
  ...recordingControlRoutes(parts),
  ...wrapUpRoutes(parts),
]
