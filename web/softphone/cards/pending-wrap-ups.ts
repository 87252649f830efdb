import { useEffect, useState } from 'react'

import type { Phone } from '../phone/phone.ts'
import { isConnected, type PhoneCall } from '../phone/state.ts'

/** A call with a customer that has ended, about which something may be noted. */
export interface PendingWrapUp {
  call: PhoneCall & { id: string }
  /** Somebody has begun to. */
  isTouched: boolean
}

/** The newest first. When the next conversation begins, those that nobody has touched go. */
export function usePendingWrapUps(phone: Phone) {
  const [pending, setPending] = useState<PendingWrapUp[]>([])
  const leave = (id: string) => setPending((all) => all.filter(({ call }) => call.id !== id))
  const touch = (id: string) =>
    setPending((all) => all.map((one) => (one.call.id === id ? { ...one, isTouched: true } : one)))
  useEffect(() => {
    let before = phone.view().state
    return phone.subscribe(() => {
      const { state } = phone.view()
      const [wasConnected, isNowConnected] = [isConnected(before), isConnected(state)]
      before = state
      if (isNowConnected && !wasConnected) setPending((all) => all.filter(({ isTouched }) => isTouched))
      if (!wasConnected || state.in !== 'ended' || !isWithCustomer(state.call)) return
      const { call } = state
      setPending((all) => [{ call, isTouched: false }, ...all.filter((one) => one.call.id !== call.id)])
    })
  }, [phone])
  return { pending, leave, touch }
}

const isWithCustomer = (call: PhoneCall): call is PendingWrapUp['call'] =>
  call.id?.startsWith('cal_') ?? false
