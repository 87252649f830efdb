import { isFieldError, useChange } from '../../api/change.ts'
import { createWebhook, type EventName, updateWebhook, type Webhook } from '../../api/webhooks.ts'
import { useTexts } from '../../i18n/language.tsx'
import { webhookTexts } from '../../i18n/webhooks.ts'
import { useFieldErrors } from '../../refusals/field-errors.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog, useInput } from '../../ui/form.tsx'
import { EVENTS } from './events.ts'

interface WebhookFormProps {
  webhook?: Webhook
  onClose(): void
  /** Called with the secret of a new one. */
  onCreated?(made: { id: string; signing_secret: string }): void
}

export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const t = useTexts(webhookTexts)
  const { input, set, bind, isChanged } = useInput({
    name: webhook?.name ?? '',
    url: webhook?.url ?? 'https://',
    events: (webhook?.events ?? ['call.ended']) as EventName[],
  })
  const { events } = input
  const save = useChange(
    async () => {
      if (webhook) await updateWebhook(webhook.id, input)
      else onCreated?.(await createWebhook(input))
    },
    { touches: [['webhooks']], onDone: onClose, quietAbout: isFieldError },
  )
  const toggle = (event: EventName) =>
    set({ events: events.includes(event) ? events.filter((one) => one !== event) : [...events, event] })
  const wrongEvents = useFieldErrors()(save.error, 'events')
  return (
    <FormDialog
      wide
      title={webhook ? t.edit : t.add}
      isPending={save.isPending}
      error={save.error}
      isChanged={isChanged}
      onClose={onClose}
      onSubmit={save.mutate}
    >
      <TextField label={t.name} required {...bind('name', save.error)} />
      <TextField label={t.url} hint={t.urlHint} type="url" required {...bind('url', save.error)} />
      <fieldset className="mb-4">
        <legend className="mb-1 text-sm font-semibold">{t.events}</legend>
        <div className="grid gap-x-4 gap-y-0.5 sm:grid-cols-2">
          {EVENTS.map((event) => (
            <label key={event} className="flex cursor-pointer items-center gap-2 py-0.5 font-mono text-sm">
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
        {wrongEvents && (
          <p role="alert" className="mt-1 text-sm text-wrong">
            {wrongEvents}
          </p>
        )}
      </fieldset>
    </FormDialog>
  )
}
