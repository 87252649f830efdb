import { AppError } from '../../../platform/errors.ts'

export const callNotQueued = () =>
  new AppError({
    status: 409,
    code: 'call_not_queued',
    message:
      'The call does not wait in the queue: somebody has answered it, it is being transferred, or it has ended.',
  })

export const employeeUnavailable = () =>
  new AppError({
    status: 409,
    code: 'employee_unavailable',
    message:
      'You are on a call, another call rings you, you want no calls, or none of your phones is registered.',
  })
