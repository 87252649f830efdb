import { useQueries, useQuery } from '@tanstack/react-query'
import { SendHorizontal, TextQuote } from 'lucide-react'
import { useRef, useState } from 'react'

import { splitIntoSegments } from '../../../server/platform/text/sms-segments.ts'
import { useChange } from '../../api/change.ts'
import { ApiError } from '../../api/client.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { sendMessage } from '../../api/inbox.ts'
import { numberQuery, numbersQuery } from '../../api/numbers.ts'
import { sessionQuery } from '../../api/session.ts'
import { snippetsQuery } from '../../api/snippets.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { INPUT, NARROW_INPUT } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'

const LIMITS = { textCharacters: 1_600 }

export function Composer({ phone, lastNumberId }: { phone: string; lastNumberId?: string }) {
  const t = useTexts(inboxTexts)
  const allowed = useQuery(sessionQuery()).data?.messaging_enabled ?? false
  const { senders, areKnown } = useSenders()
  const [chosen, setChosen] = useState<string>()
  const [text, setText] = useDraft(phone)
  const keys = useKeys()
  const toast = useToast()
  const sender = [chosen, lastNumberId, senders[0]?.id].find((id) => senders.some((one) => one.id === id))
  const send = useChange(sendOrStore, {
    touches: [['activity', phone], ['inbox']],
    onDone: ({ refusal }) => {
      keys.isSent()
      setText('')
      if (refusal) toast({ tone: 'wrong', text: refusal.message })
    },
  })
  if (allowed && senders.length === 0 && !areKnown) return null
  if (!allowed || senders.length === 0) {
    return (
      <p className="border-t bg-surface px-5 py-3 text-sm text-soft">
        {allowed ? t.cannotText : t.notAllowed}
      </p>
    )
  }
  const ready = text.trim() !== '' && sender !== undefined && !send.isPending
  const submit = () =>
    ready && send.mutate({ numberId: sender, to: phone, text, key: keys.keyFor(sender, text) })
  const { parts, left, encoding } = splitIntoSegments(text)
  return (
    <Form className="border-t bg-surface px-3 py-3 md:px-5" onSubmit={submit}>
      <div className="flex items-end gap-2">
        <textarea
          aria-label={t.write}
          placeholder={t.write}
          rows={2}
          maxLength={LIMITS.textCharacters}
          className={`${INPUT} field-sizing-content max-h-40 min-h-16 resize-none`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
          }}
        />
        <Button type="submit" look="main" title={t.sendHint} disabled={!ready}>
          <SendHorizontal size={16} aria-hidden="true" /> {t.send}
        </Button>
      </div>
      {/* Nothing at the right: the phone floats there. */}
      <div className="mt-2 mr-14 flex flex-wrap items-center gap-2 md:mr-40 xl:mr-0">
        <SnippetMenu onChoose={(snippet) => setText(text ? `${text} ${snippet}` : snippet)} />
        <select
          aria-label={t.from}
          className={`${NARROW_INPUT} h-8 max-w-48 py-0 text-sm`}
          value={sender}
          onChange={(event) => setChosen(event.target.value)}
        >
          {senders.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <span className="text-xs text-soft tabular-nums">
          {text !== '' && t.parts(parts, left)}
          {text !== '' && encoding === 'ucs2' && ` · ${t.unicode}`}
        </span>
      </div>
    </Form>
  )
}

/** Unsent drafts, by thread, until the page is closed. */
const drafts = new Map<string, string>()

function useDraft(phone: string) {
  const [text, setText] = useState(() => drafts.get(phone) ?? '')
  const keep = (next: string) => {
    drafts.set(phone, next)
    setText(next)
  }
  return [text, keep] as const
}

/** A text that was refused, or whose outcome is unknown, is stored anyway, and shown in the thread with its status. */
async function sendOrStore(input: Parameters<typeof sendMessage>[0]): Promise<{ refusal?: ApiError }> {
  try {
    await sendMessage(input)
    return {}
  } catch (error) {
    if (error instanceof ApiError && 'message_id' in error.body) return { refusal: error }
    throw error
  }
}

/** The same key for the same text until it is sent, so that a retry after a lost response does not send it twice. */
function useKeys() {
  const last = useRef<{ numberId: string; text: string; key: string }>(undefined)
  return {
    keyFor(numberId: string, text: string): string {
      if (last.current?.numberId !== numberId || last.current.text !== text)
        last.current = { numberId, text, key: newIdempotencyKey() }
      return last.current.key
    },
    isSent: () => (last.current = undefined),
  }
}

/** The company's numbers that can send texts. */
function useSenders() {
  const { data: numbers } = useQuery(numbersQuery())
  const read = useQueries({ queries: (numbers ?? []).map(({ id }) => numberQuery(id)) })
  return {
    senders: read.flatMap(({ data }) => data ?? []).filter(({ messaging }) => messaging.sms.can_send),
    areKnown: numbers !== undefined && read.every(({ isPending }) => !isPending),
  }
}

function SnippetMenu({ onChoose }: { onChoose(text: string): void }) {
  const t = useTexts(inboxTexts)
  const snippets = useQuery(snippetsQuery()).data ?? []
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <IconButton label={t.snippets} className="size-8">
          <TextQuote size={17} />
        </IconButton>
      }
    >
      <MenuLabel>{snippets.length === 0 ? t.noSnippets : t.snippets}</MenuLabel>
      {snippets.map(({ id, title, text }) => (
        <MenuItem key={id} onSelect={() => onChoose(text)}>
          <span className="min-w-0">
            <span className="block font-medium">{title}</span>
            <span className="block max-w-64 truncate text-soft">{text}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
