import { useQuery } from '@tanstack/react-query'

import { isFieldError, useChange } from '../../api/change.ts'
import {
  type BusinessNumber,
  type RecordingNotice,
  recordingNoticeQuery,
  setRecordingNotice,
  updateNumber,
} from '../../api/numbers.ts'
import { useTexts } from '../../i18n/language.tsx'
import { numberTexts } from '../../i18n/numbers.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, SwitchField, TextField } from '../../ui/field.tsx'
import { Form, useInput } from '../../ui/form.tsx'

const LANGUAGES = ['da', 'en', 'sv', 'nb', 'de', 'fi', 'nl', 'fr', 'es', 'it', 'pl']

export function NumberSettings({ number }: { number: BusinessNumber }) {
  const t = useTexts(numberTexts)
  const common = useTexts(shellTexts)
  const { name, timezone, language, wait_audio, recording_enabled } = number
  const { input, set, bind, stored } = useInput({
    name,
    timezone,
    language,
    wait_audio,
    recording_enabled,
    /** Undefined until it is changed. */
    notice: undefined as RecordingNotice | undefined,
  })
  const save = useChange(
    async ({ notice, ...settings }: typeof input) => {
      await updateNumber(number.id, settings)
      if (notice) await setRecordingNotice(number.id, notice)
    },
    {
      touches: [['numbers']],
      said: common.saved,
      onDone: (_, sent) => stored(sent),
      quietAbout: isFieldError,
    },
  )
  return (
    <Form className="max-w-md" onSubmit={() => save.mutate(input)} error={save.error}>
      <TextField label={t.name} hint={t.nameHint} required {...bind('name', save.error)} />
      <TextField label={t.timezone} required list="timezones" {...bind('timezone', save.error)} />
      <datalist id="timezones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <SelectField label={t.language} {...bind('language', save.error)}>
        {[...new Set([language, ...LANGUAGES])].map((code) => (
          <option key={code} value={code}>
            {new Intl.DisplayNames([document.documentElement.lang], { type: 'language' }).of(code)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t.waitAudio}
        value={input.wait_audio}
        onChange={(event) => set({ wait_audio: event.target.value as BusinessNumber['wait_audio'] })}
      >
        <option value="ringtone">{t.ringtone}</option>
        <option value="music">{t.music}</option>
      </SelectField>
      <SwitchField
        label={t.recording}
        hint={t.recordingHint}
        checked={input.recording_enabled}
        onChange={(recording_enabled) => set({ recording_enabled })}
      />
      {input.recording_enabled && (
        <NoticeField numberId={number.id} chosen={input.notice} onChange={(notice) => set({ notice })} />
      )}
      <Button type="submit" look="main" disabled={save.isPending}>
        {common.save}
      </Button>
    </Form>
  )
}

const NOTICES = ['none', 'beep', 'announcement'] as const

interface NoticeFieldProps {
  numberId: string
  /** Undefined until it is changed. */
  chosen: RecordingNotice | undefined
  onChange(notice: RecordingNotice): void
}

function NoticeField({ numberId, chosen, onChange }: NoticeFieldProps) {
  const t = useTexts(numberTexts)
  const { data } = useQuery(recordingNoticeQuery(numberId))
  const notice = chosen ?? data?.notice ?? 'none'
  return (
    <SelectField
      label={t.notice}
      hint={notice === 'announcement' ? t.noticeSays(data?.announcement ?? '') : t.noticeHints[notice]}
      value={notice}
      disabled={!data}
      onChange={(event) => onChange(event.target.value as RecordingNotice)}
    >
      {NOTICES.map((each) => (
        <option key={each} value={each}>
          {t.notices[each]}
        </option>
      ))}
    </SelectField>
  )
}
