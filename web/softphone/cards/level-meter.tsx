import { useEffect, useRef } from 'react'

import { useTexts } from '../../i18n/language.tsx'
import { followLevel } from '../phone/audio/microphone.ts'
import { phoneTexts } from '../texts.ts'

/** Browsers style it in their own colours. */
const LOOK = [
  'block h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-line bg-none',
  '[&::-webkit-meter-inner-element]:block',
  '[&::-webkit-meter-bar]:h-full [&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:bg-line [&::-webkit-meter-bar]:bg-none',
  '[&::-webkit-meter-optimum-value]:bg-accent [&::-webkit-meter-optimum-value]:bg-none',
  '[&::-moz-meter-bar]:bg-accent [&::-moz-meter-bar]:bg-none',
].join(' ')

/** The level of the microphone, so that an employee who is not heard sees why. */
export function LevelMeter({ stream }: { stream: MediaStream }) {
  const t = useTexts(phoneTexts)
  const meter = useRef<HTMLMeterElement>(null)
  // Updated outside of React, because it changes twenty times a second.
  useEffect(() => followLevel(stream, (level) => meter.current && (meter.current.value = level)), [stream])
  return <meter ref={meter} aria-label={t.level} min={0} max={1} value={0} className={LOOK} />
}
