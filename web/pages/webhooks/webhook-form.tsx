import { useState } from 'react'

import { fieldError, isFieldError, useChange } from '../../api/change.ts'
import { createWebhook, type EventName, updateWebhook, type Webhook } from '../../api/webhooks.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { webhookTexts } from '../../i18n/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { EVENTS } from './events.ts'

interface WebhookFormProps {
  webhook?: Webhook
  onClose(): void
  /** Told the secret of a new one. */
  onCreated?(made: { id: string; signing_secret: string }): void
}

export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const t = useTexts(webhookTexts)
  const common = useTexts(shellTexts)
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [events, setEvents] = useState((webhook?.events ?? ['call.ended']) as EventName[])
  const save = useChange(
    async () => {
      const input = { name, url, events }
      if (webhook) await updateWebhook(webhook.id, input)
      else onCreated?.(await createWebhook(input))
    },
    { touches: [['webhooks']], onDone: onClose, quietAbout: isFieldError },
  )
  const toggle = (event: EventName) =>
    setEvents(events.includes(event) ? events.filter((one) => one !== event) : [...events, event])
  const wrongEvents = fieldError(save.error, 'events')
  return (
    <Dialog open wide onClose={onClose} title={webhook ? t.edit : t.add}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextField
          label={t.name}
          required
          value={name}
          error={fieldError(save.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={t.url}
          hint={t.urlHint}
          type="url"
          required
          value={url}
          error={fieldError(save.error, 'url')}
          onChange={(event) => setUrl(event.target.value)}
        />
        <fieldset className="mb-4">
          <legend className="mb-1 text-sm font-semibold">{t.events}</legend>
          <div className="grid gap-x-4 gap-y-0.5 sm:grid-cols-2">
            {EVENTS.map((event) => (
              <label
                key={event}
                className="flex cursor-pointer items-center gap-2 py-0.5 font-mono text-[13px]"
              >
                <input
                  type="checkbox"
                  className="accent-accent"
                  checked={events.includes(event)}
                  onChange={() => toggle(event)}
                />
                {event}
              </label>
            ))}
          </div>
          {wrongEvents && <p className="mt-1 text-[13px] text-wrong">{wrongEvents}</p>}
        </fieldset>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="main" disabled={save.isPending}>
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
