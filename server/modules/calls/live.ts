import type { Tx } from '../../platform/db/database.ts'

/** The edge is gone, and its calls with it. Nothing makes live calls yet; whoever does ends them here. */
export const endCallsOfEdge: (tx: Tx, edgeId: string) => Promise<void> = async () => {}
