const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

export function Keypad({ onPress }: { onPress(key: string): void }) {
  return (
    <div className="grid grid-cols-3 gap-1.5">
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          className="h-11 rounded-lg border bg-surface text-lg font-semibold hover:bg-hover"
          onClick={() => onPress(key)}
        >
          {key}
        </button>
      ))}
    </div>
  )
}
