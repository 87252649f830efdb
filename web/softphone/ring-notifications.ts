import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { answerOf, client } from '../api/client.ts'
import { useTexts } from '../i18n/language.tsx'
import { showNotification } from './phone/notifications.ts'
import type { Phone } from './phone/phone.ts'
import { phoneTexts } from './texts.ts'

/** Shows a desktop notification while a call rings. */
export function useRingNotifications(phone: Phone): void {
  const t = useTexts(phoneTexts)
  const queries = useQueryClient()
  useEffect(
    () =>
      phone.onRing(({ other }) => {
        let isOver = false
        let close: (() => void) | undefined
        const find = () => answerOf(client.GET('/api/v1/contacts', { params: { query: { phone: other } } }))
        void queries
          .fetchQuery({ queryKey: ['contacts', 'of the number', other], queryFn: find })
          // Without the name the number is shown.
          .catch(() => [])
          .then((contacts) => {
            if (!isOver) close = showNotification(t.incoming, contacts[0]?.name ?? other)
          })
        return () => {
          isOver = true
          close?.()
        }
      }),
    [phone, queries, t],
  )
}
