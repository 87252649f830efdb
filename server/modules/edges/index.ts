export {
  announceDraining,
  EDGE_LIFE,
  type EdgeAddress,
  giveSignOfLife,
  newEdgeId,
  registerEdge,
  removeEdge,
  runningEdge,
  takeEdge,
  takeSilentEdge,
} from './edges.ts'
