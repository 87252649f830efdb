import { useTexts } from '../../../i18n/language.tsx'
import { walkTexts } from './texts.ts'

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

export function Keypad({ disabled, onPress }: { disabled: boolean; onPress(digit: string): void }) {
  const t = useTexts(walkTexts)
  return (
    <div role="group" aria-label={t.keys} className="mx-auto grid w-fit grid-cols-3 gap-2">
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          disabled={disabled}
          onClick={() => onPress(key)}
          className="h-10 w-16 rounded-lg border bg-surface text-lg font-semibold tabular-nums hover:bg-hover disabled:opacity-40"
        >
          {key}
        </button>
      ))}
    </div>
  )
}
