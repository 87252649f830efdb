import { AppError } from '../../../platform/errors.ts'

export const employeeIdMissing = () =>
  new AppError({
    status: 400,
    code: 'invalid_request',
    message: 'Set employee_id to the employee who should get the call.',
  })

export const notCallController = () =>
  new AppError({
    status: 403,
    code: 'not_call_controller',
    message: 'Only the employee who controls the call can do this.',
  })

export const invalidTarget = () =>
  new AppError({
    status: 422,
    code: 'invalid_target',
    message: 'A call cannot be transferred to the employee who already has it.',
    errors: { employee_id: ['must be another employee'] },
  })

export const targetUnavailable = () =>
  new AppError({
    status: 409,
    code: 'target_unavailable',
    message: 'That employee cannot take a call now. GET /calls/active lists who can.',
  })

export const callNotActive = () =>
  new AppError({
    status: 409,
    code: 'call_not_active',
    message: 'The call has ended, or has not been answered yet.',
  })

export const transferInProgress = () =>
  new AppError({
    status: 409,
    code: 'transfer_in_progress',
    message: 'Another transfer of this call is open: complete or cancel it first.',
  })

export const transferNotConsulting = () =>
  new AppError({
    status: 409,
    code: 'transfer_not_consulting',
    message: 'The other employee has not answered yet.',
  })

export const nobodyConsulted = () =>
  new AppError({
    status: 409,
    code: 'transfer_not_consulting',
    message: 'Start a transfer first, and wait until the coworker has answered.',
  })

export const transferOver = () =>
  new AppError({ status: 409, code: 'transfer_not_open', message: 'The transfer is over.' })

export const outsideTransfersOff = () =>
  new AppError({
    status: 403,
    code: 'outside_transfers_off',
    message: 'Transfers to numbers outside the company are off. Whoever operates Bellhop can allow them.',
  })

export const numberNotCallable = () =>
  new AppError({
    status: 422,
    code: 'number_not_callable',
    message:
      'A customer cannot be transferred to that number: it is no phone number, it belongs to the company or to a ' +
      'coworker, it is an emergency or short number, or the operator does not allow calls to its country or kind.',
    errors: { number: ['cannot be called'] },
  })

export const numberUnreachable = () =>
  new AppError({
    status: 409,
    code: 'number_unreachable',
    message: 'No carrier can call that number now, or the company has placed too many calls in this minute.',
  })

export const edgeUnreachable = () =>
  new AppError({
    status: 502,
    code: 'esl_unreachable',
    message: 'The edge that has this call did not respond. Read the active call before you try again.',
  })
