import { useEffect, useRef } from 'react'

import { useTexts } from '../i18n/language.tsx'
import { followLevel } from './phone/microphone.ts'
import { phoneTexts } from './texts.ts'

/** How loud the microphone is, so that who is not heard sees why. */
export function LevelMeter({ stream }: { stream: MediaStream }) {
  const t = useTexts(phoneTexts)
  const meter = useRef<HTMLMeterElement>(null)
  // Past React: twenty times a second.
  useEffect(() => followLevel(stream, (level) => meter.current && (meter.current.value = level)), [stream])
  return <meter ref={meter} aria-label={t.level} min={0} max={1} value={0} className="h-2 w-full" />
}
