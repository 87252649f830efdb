import { useQuery } from '@tanstack/react-query'

import { isFieldError, useChange } from '../../api/change.ts'
import { numbersQuery, textingQuery, type TextingSettings, updateTexting } from '../../api/numbers.ts'
import { useTexts } from '../../i18n/language.tsx'
import { numberTexts } from '../../i18n/numbers.ts'
import { textingTexts } from '../../i18n/settings.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { useFieldErrors } from '../../refusals/field-errors.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, SwitchField, TextArea } from '../../ui/field.tsx'
import { Form, useInput } from '../../ui/form.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { TextingOff, useTextingIsOn } from './texting-off.tsx'

const COOLDOWN_HOURS = [1, 2, 4, 8, 12, 24, 48, 168, 720]

export default function TextingPage() {
  const t = useTexts(textingTexts)
  return (
    <Page title={t.title} lead={t.lead}>
      {useTextingIsOn() ? <AllNumbers /> : <TextingOff />}
    </Page>
  )
}

function AllNumbers() {
  const t = useTexts(textingTexts)
  const { emptyHint } = useTexts(numberTexts)
  const numbers = useQuery(numbersQuery())
  return (
    <Loaded query={numbers}>
      {(numbers) =>
        numbers.length === 0 ? (
          <Card>
            <EmptyState drawing="writing" title={t.empty}>
              {emptyHint}
            </EmptyState>
          </Card>
        ) : (
          <div className="grid items-start gap-4 lg:grid-cols-2">
            {numbers.map(({ id, name, number_formatted }) => (
              <Card key={id} className="p-5">
                <h2 className="font-semibold">{name}</h2>
                <p className="mb-4 text-sm text-soft">{number_formatted}</p>
                <NumberTexting id={id} />
              </Card>
            ))}
          </div>
        )
      }
    </Loaded>
  )
}

function NumberTexting({ id }: { id: string }) {
  const settings = useQuery(textingQuery(id))
  return <Loaded query={settings}>{(settings) => <TextingForm id={id} settings={settings} />}</Loaded>
}

function TextingForm({ id, settings }: { id: string; settings: TextingSettings }) {
  const t = useTexts(textingTexts)
  const common = useTexts(shellTexts)
  const { input, set, bind, stored } = useInput({
    auto_reply_enabled: settings.auto_reply_enabled,
    auto_reply_text: settings.auto_reply_text ?? '',
    auto_reply_cooldown_minutes: settings.auto_reply_cooldown_minutes,
  })
  const save = useChange((sent: typeof input) => updateTexting(id, sent), {
    touches: [['texting', id]],
    said: common.saved,
    onDone: (_, sent) => stored(sent),
    quietAbout: isFieldError,
  })
  const fieldError = useFieldErrors()
  const text = bind('auto_reply_text', save.error)
  const hours = [...new Set([...COOLDOWN_HOURS, settings.auto_reply_cooldown_minutes / 60])].toSorted(
    (a, b) => a - b,
  )
  return (
    <Form onSubmit={() => save.mutate(input)} error={save.error}>
      <SwitchField
        label={t.autoReply}
        checked={input.auto_reply_enabled}
        onChange={(auto_reply_enabled) => set({ auto_reply_enabled })}
      />
      <TextArea
        label={t.text}
        required={input.auto_reply_enabled}
        {...text}
        error={text.error ?? fieldError(save.error, 'auto_reply_enabled')}
      />
      <SelectField
        label={t.cooldown}
        value={input.auto_reply_cooldown_minutes}
        error={fieldError(save.error, 'auto_reply_cooldown_minutes')}
        onChange={(event) => set({ auto_reply_cooldown_minutes: Number(event.target.value) })}
      >
        {hours.map((count) => (
          <option key={count} value={count * 60}>
            {t.hours(count)}
          </option>
        ))}
      </SelectField>
      <Button type="submit" look="main" disabled={save.isPending}>
        {common.save}
      </Button>
    </Form>
  )
}
