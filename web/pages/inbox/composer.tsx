import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Clock3, SendHorizontal, TextQuote } from 'lucide-react'
import { useRef, useState } from 'react'

import { splitIntoSegments } from '../../../server/platform/text/sms-segments.ts'
import { useChange } from '../../api/change.ts'
import { numberQuery, numbersQuery } from '../../api/numbers.ts'
import { sessionQuery } from '../../api/session.ts'
import { snippetsQuery } from '../../api/snippets.ts'
import { useErrorText } from '../../i18n/errors.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { keepDraft, useDraft } from '../../outbox/drafts.ts'
import { cancelWaiting, type OutgoingText, sendWhenReachable, useOutbox } from '../../outbox/outbox.ts'
import { isSending, useSendKey } from '../../outbox/send-key.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { INPUT, NARROW_INPUT } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useWriting } from './team/use-writing.ts'

const LIMITS = { textCharacters: 1_600 }

interface ComposerProps {
  phone: string
  employeeId: string
  lastNumberId?: string
}

export function Composer({ phone, employeeId, lastNumberId }: ComposerProps) {
  const t = useTexts(inboxTexts)
  const allowed = useQuery(sessionQuery()).data?.messaging_enabled ?? false
  const { senders, areKnown } = useSenders()
  const [chosen, setChosen] = useState<string>()
  const { text } = useDraft(employeeId, phone)
  // The attempt was one to send another text.
  const setText = (next: string) => keepDraft(employeeId, phone, { text: next })
  const showWriting = useWriting(phone)
  const queries = useQueryClient()
  const toast = useToast()
  const errorText = useErrorText()
  const sendKey = useSendKey(employeeId)
  const field = useRef<HTMLTextAreaElement>(null)
  const outgoing = useOutbox().get(phone)
  const ownChoice = outgoing?.numberId ?? chosen
  const sender = [ownChoice, lastNumberId, senders[0]?.id].find((id) => senders.some((one) => one.id === id))
  const send = useChange((input: OutgoingText) => sendWhenReachable(input, queries), {
    touches: [['activity', phone], ['inbox']],
    onDone: ({ refusal }) => refusal && toast({ tone: 'wrong', text: errorText(refusal) }),
  })
  if (allowed && senders.length === 0 && !areKnown) return null
  if (!allowed || senders.length === 0) {
    return <p className="py-1 text-sm text-soft">{allowed ? t.cannotText : t.notAllowed}</p>
  }
  const ready = text.trim() !== '' && sender !== undefined && !outgoing
  const submit = () => {
    if (!ready) return
    showWriting('')
    send.mutate({ employeeId, phone, numberId: sender, text })
  }
  const { parts, left, encoding } = splitIntoSegments(text)
  return (
    <Form onSubmit={submit}>
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          aria-label={t.write}
          placeholder={t.write}
          rows={2}
          maxLength={LIMITS.textCharacters}
          className={`${INPUT} field-sizing-content max-h-40 min-h-16 resize-none`}
          value={text}
          readOnly={outgoing !== undefined}
          onChange={(event) => {
            setText(event.target.value)
            showWriting(event.target.value)
          }}
          onKeyDown={(event) => {
            if (!isSending(event, sendKey)) return
            event.preventDefault()
            submit()
          }}
        />
        <Button type="submit" look="main" title={t.sendHints[sendKey]} disabled={!ready}>
          <SendHorizontal size={16} aria-hidden="true" /> {t.send}
        </Button>
      </div>
      {/* Nothing at the right: the phone floats there. */}
      <div className="mt-2 mr-14 flex flex-wrap items-center gap-2 md:mr-40 xl:mr-0">
        {outgoing?.is === 'waiting' && <Waiting onCancel={() => cancelWaiting(phone)} />}
        <SnippetMenu
          isDisabled={outgoing !== undefined}
          onChoose={(snippet) => {
            setText(text ? `${text} ${snippet}` : snippet)
            field.current?.focus()
          }}
        />
        <select
          aria-label={t.from}
          className={`${NARROW_INPUT} h-8 max-w-48 py-0 text-sm`}
          value={sender}
          disabled={outgoing !== undefined}
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

/** The company's numbers that can send texts. */
function useSenders() {
  const { data: numbers } = useQuery(numbersQuery())
  const read = useQueries({ queries: (numbers ?? []).map(({ id }) => numberQuery(id)) })
  return {
    senders: read.flatMap(({ data }) => data ?? []).filter(({ messaging }) => messaging.sms.can_send),
    areKnown: numbers !== undefined && read.every(({ isPending }) => !isPending),
  }
}

function Waiting({ onCancel }: { onCancel(): void }) {
  const t = useTexts(inboxTexts)
  const common = useTexts(shellTexts)
  return (
    <p
      role="status"
      className="flex w-full items-center gap-1.5 rounded-lg bg-warn-ground py-1 pr-1 pl-3 text-sm text-warn"
    >
      <Clock3 size={15} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 flex-1">{t.willBeSent}</span>
      <Button size="small" look="bare" className="text-warn" onClick={onCancel}>
        {common.cancel}
      </Button>
    </p>
  )
}

function SnippetMenu({ isDisabled, onChoose }: { isDisabled: boolean; onChoose(text: string): void }) {
  const t = useTexts(inboxTexts)
  const common = useTexts(shellTexts)
  const { data: snippets } = useQuery(snippetsQuery())
  const label = snippets?.length === 0 ? t.noSnippets : snippets ? t.snippets : common.missing
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <IconButton label={t.snippets} className="size-8" disabled={isDisabled}>
          <TextQuote size={17} />
        </IconButton>
      }
    >
      <MenuLabel>{label}</MenuLabel>
      {snippets?.map(({ id, title, text }) => (
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
