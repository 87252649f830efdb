import { AppError } from '../../platform/errors.ts'

/** For what waits behind thousands of requests of the same company, or has waited for too long. */
export const tooManyRequests = new AppError({
  status: 503,
  code: 'too_many_requests',
  message: 'Too many requests of your company are waiting. Send fewer at once, and this one again later.',
  headers: { 'retry-after': '5' },
})
