import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { answerOf, client } from '../api/client.ts'
import { useTexts } from '../i18n/language.tsx'
import { useReadableNumber } from '../i18n/remote-numbers.ts'
import { showInTab } from '../ui/tab/tab.ts'
import { extensionsQuery, isFromCoworker } from './dialing/coworkers.ts'
import { showNotification } from './phone/notifications.ts'
import type { Phone } from './phone/phone.ts'
import { phoneTexts } from './texts.ts'

/** Shows a desktop notification while a call rings, and who calls in the title of the tab. */
export function useRingNotifications(phone: Phone): void {
  const t = useTexts(phoneTexts)
  const queries = useQueryClient()
  const readable = useReadableNumber()
  useEffect(
    () =>
      phone.onRing((call) => {
        const { other } = call
        let isOver = false
        let close: (() => void) | undefined
        const find = () => answerOf(client.GET('/api/v1/contacts', { params: { query: { phone: other } } }))
        const findName = async () =>
          isFromCoworker(call)
            ? (await queries.fetchQuery(extensionsQuery())).find(({ extension }) => extension === other)?.name
            : (await queries.fetchQuery({ queryKey: ['contacts', 'of the number', other], queryFn: find }))[0]
                ?.name
        void findName()
          // Without the name the number is shown.
          .catch(() => undefined)
          .then((name) => {
            if (isOver) return
            const caller = name ?? readable(other)
            close = showNotification({ title: t.incoming, body: caller, tag: call.id ?? 'bellhop.call' })
            showInTab({ caller })
          })
        return () => {
          isOver = true
          showInTab({ caller: undefined })
          close?.()
        }
      }),
    [phone, queries, t, readable],
  )
}
