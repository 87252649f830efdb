import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

import { isPhoneNumber } from '../ui/phone.ts'
import { hasUnsavedEdits } from '../unsaved/unsaved-edits.ts'
import { isFromCoworker } from './dialing/coworkers.ts'
import type { Phone } from './phone/phone.ts'

/** Opens the conversation with a customer whose call is answered, unless edits would be lost. It is seen then. */
export function useConversationOnAnswer(phone: Phone): void {
  const navigate = useNavigate()
  useEffect(() => {
    let before = phone.view().state
    return phone.subscribe(() => {
      const { state } = phone.view()
      const isAnswered = before.in === 'ringing' && state.in === 'talking'
      before = state
      if (!isAnswered || isFromCoworker(state.call) || hasUnsavedEdits()) return
      const { other } = state.call
      if (isPhoneNumber(other)) void navigate({ to: '/inbox/{-$phone}', params: { phone: other } })
    })
  }, [phone, navigate])
}
