import type { CreateCallControl } from './port.ts'

/** An exchange that registers phones and takes no calls, and says so. */
export const createNoControl: CreateCallControl = () => ({
  take: (call) => call.reject(503),
  carryOut: () => Promise.reject(new Error('there are no calls')),
  noticed() {},
  lookAgain() {},
  liveCalls: () => 0,
  drained: async () => {},
  stop: async () => {},
})
