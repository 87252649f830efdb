const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

interface KeypadProps {
  disabled?: boolean
  onPress(key: string): void
}

export function Keypad({ disabled, onPress }: KeypadProps) {
  return (
    <div className="grid grid-cols-3 gap-1.5">
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          disabled={disabled}
          className="h-11 rounded-lg border bg-surface text-lg font-semibold enabled:hover:bg-hover disabled:opacity-50"
          onClick={() => onPress(key)}
        >
          {key}
        </button>
      ))}
    </div>
  )
}
