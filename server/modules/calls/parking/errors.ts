import { AppError } from '../../../platform/errors.ts'

export const slotTaken = () =>
  new AppError({
    status: 409,
    code: 'parking_slot_taken',
    message: 'Another call is parked in that slot, or all slots are taken.',
  })

export const callNotParked = () =>
  new AppError({
    status: 409,
    code: 'call_not_parked',
    message: 'The call is not parked: somebody has taken it, or it has ended.',
  })
