import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { type WalkHours, type WalkThrough, walkThroughQuery } from '../../../api/numbers.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { hasUnsavedEdits } from '../../../unsaved/unsaved-edits.ts'
import { Captions } from './captions.tsx'
import { Keypad } from './keypad.tsx'
import { walkTexts } from './texts.ts'
import { soundOf, startWalk, stepWalk, type Walk, type WalkInput, type WalkStart } from './walk.ts'

export interface WalkWish extends WalkStart {
  when: WalkHours
}

interface WalkDialogProps {
  numberId: string
  /** Where it begins. */
  wish: WalkWish
  onClose(): void
}

const HOURS = ['now', 'open', 'closed'] as const

/** Somebody calls the number, in the browser: they hear what a caller hears, and press the keys. */
export function WalkDialog({ numberId, wish, onClose }: WalkDialogProps) {
  const t = useTexts(walkTexts)
  const [when, setWhen] = useState(wish.when)
  const through = useQuery(walkThroughQuery(numberId, when))
  const names = { now: t.now, open: t.whenOpen, closed: t.whenClosed }
  // The part of the picture that was chosen exists only in the hours that it is about.
  const start = when === wish.when ? wish : {}
  return (
    <Dialog open wide onClose={onClose} title={t.title} description={t.hint}>
      <fieldset className="mb-3 flex flex-wrap items-center gap-2">
        <legend className="sr-only">{t.when}</legend>
        {HOURS.map((each) => (
          <label
            key={each}
            className="flex cursor-pointer items-center gap-2 rounded-lg border px-2.5 py-1 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-ground"
          >
            <input
              type="radio"
              name="when"
              className="accent-accent"
              checked={when === each}
              onChange={() => setWhen(each)}
            />
            {names[each]}
          </label>
        ))}
        {when === 'now' && through.data && (
          <span className="text-sm text-soft">{through.data.hours === 'open' ? t.isOpen : t.isClosed}</span>
        )}
      </fieldset>
      {hasUnsavedEdits() && <p className="mb-3 text-sm text-warn">{t.unsaved}</p>}
      <Loaded query={through}>
        {(through) => <WalkPlayer key={when} through={through} start={start} />}
      </Loaded>
    </Dialog>
  )
}

function WalkPlayer({ through, start }: { through: WalkThrough; start: WalkStart }) {
  const [walk, setWalk] = useState(() => startWalk(through, start))
  const act = (input: WalkInput) => setWalk((walk) => stepWalk(through, walk, input))
  const sound = soundOf(through, walk)
  const step = walk.in === 'step' ? through.steps[walk.at] : undefined
  const isMenu = step?.kind === 'menu'
  // On the document, because the focus may be anywhere in the dialog.
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (/^[\d*#]$/.test(key)) setWalk((walk) => stepWalk(through, walk, { on: 'key', digit: key }))
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [through])
  return (
    <div>
      {typeof sound?.url === 'string' && (
        <audio
          key={walk.turn}
          autoPlay
          src={sound.url}
          loop={sound.loops}
          onEnded={() => act({ on: 'played' })}
        />
      )}
      <Captions
        walk={walk}
        isSpeaking={step?.kind === 'voicemail' && walk.in === 'step' && walk.phase === 'caller'}
      />
      <Choices through={through} walk={walk} onAct={act} onRestart={() => setWalk(startWalk(through))} />
      <Keypad disabled={!isMenu} onPress={(digit) => act({ on: 'key', digit })} />
    </div>
  )
}

interface ChoicesProps {
  through: WalkThrough
  walk: Walk
  onAct(input: WalkInput): void
  onRestart(): void
}

/** What the caller, or the people who are called, can do at this moment, besides the keys. */
function Choices({ through, walk, onAct, onRestart }: ChoicesProps) {
  const t = useTexts(walkTexts)
  const sound = soundOf(through, walk)
  const step = walk.in === 'step' ? through.steps[walk.at]! : undefined
  const isRinging = step?.kind === 'ring' && sound?.loops
  return (
    <div className="my-3 flex min-h-9 flex-wrap items-center justify-center gap-2">
      {sound?.url === null && <p className="text-sm text-soft">{t.noSound}</p>}
      {sound && !sound.loops && <Button onClick={() => onAct({ on: 'played' })}>{t.skip}</Button>}
      {step?.kind === 'menu' && <Button onClick={() => onAct({ on: 'silence' })}>{t.pressNothing}</Button>}
      {isRinging && <Button onClick={() => onAct({ on: 'answered' })}>{t.somebodyAnswers}</Button>}
      {isRinging && step.no_answer && (
        <Button onClick={() => onAct({ on: 'noAnswer' })}>{t.nobodyAnswers}</Button>
      )}
      {walk.in === 'end' ? (
        <Button look="main" onClick={onRestart}>
          {t.again}
        </Button>
      ) : (
        <Button look="danger" onClick={() => onAct({ on: 'hangUp' })}>
          {t.hangUp}
        </Button>
      )}
    </div>
  )
}
