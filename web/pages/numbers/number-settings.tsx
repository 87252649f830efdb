import { useState } from 'react'

import { fieldError, isFieldError, useChange } from '../../api/change.ts'
import { type BusinessNumber, updateNumber } from '../../api/numbers.ts'
import { useTexts } from '../../i18n/language.tsx'
import { numberTexts } from '../../i18n/numbers.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, SwitchField, TextField } from '../../ui/field.tsx'

const LANGUAGES = ['da', 'en', 'sv', 'nb', 'de', 'fi', 'nl', 'fr', 'es', 'it', 'pl']

export function NumberSettings({ number }: { number: BusinessNumber }) {
  const t = useTexts(numberTexts)
  const common = useTexts(shellTexts)
  const [name, setName] = useState(number.name)
  const [timezone, setTimezone] = useState(number.timezone)
  const [language, setLanguage] = useState(number.language)
  const [wait_audio, setWaitAudio] = useState(number.wait_audio)
  const [recording_enabled, setRecording] = useState(number.recording_enabled)
  const save = useChange(
    () => updateNumber(number.id, { name, timezone, language, wait_audio, recording_enabled }),
    { touches: [['numbers']], said: common.saved, quietAbout: isFieldError },
  )
  return (
    <form
      className="max-w-md"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <TextField
        label={t.name}
        hint={t.nameHint}
        required
        value={name}
        error={fieldError(save.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t.timezone}
        required
        list="timezones"
        value={timezone}
        error={fieldError(save.error, 'timezone')}
        onChange={(event) => setTimezone(event.target.value)}
      />
      <datalist id="timezones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <SelectField
        label={t.language}
        value={language}
        error={fieldError(save.error, 'language')}
        onChange={(event) => setLanguage(event.target.value)}
      >
        {[...new Set([number.language, ...LANGUAGES])].map((code) => (
          <option key={code} value={code}>
            {new Intl.DisplayNames([document.documentElement.lang], { type: 'language' }).of(code)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t.waitAudio}
        value={wait_audio}
        onChange={(event) => setWaitAudio(event.target.value as BusinessNumber['wait_audio'])}
      >
        <option value="ringtone">{t.ringtone}</option>
        <option value="music">{t.music}</option>
      </SelectField>
      <SwitchField
        label={t.recording}
        hint={t.recordingHint}
        checked={recording_enabled}
        onChange={setRecording}
      />
      <Button type="submit" look="main" disabled={save.isPending}>
        {common.save}
      </Button>
    </form>
  )
}
