import type { Tracer } from '../tracing/span.ts'
import type { JobHandler } from './job.ts'

/** Those that are done for a call become part of its trace. */
export function tracedJobs(handlers: JobHandler[], tracer: Tracer): JobHandler[] {
  return handlers.map(({ run, ...handler }) => ({
    ...handler,
    async run(payload) {
      const { callId } = (payload ?? {}) as { callId?: unknown }
      const ofCall = typeof callId === 'string' ? tracer.contextOf(callId) : undefined
      if (!ofCall) return run(payload)
      const span = tracer.start(ofCall, `job ${handler.name}`)
      try {
        await run(payload)
      } catch (error) {
        span.fail('the job failed')
        throw error
      } finally {
        span.end()
      }
    },
  }))
}
