import { Volume2 } from 'lucide-react'
import { useCallback, useEffect, useRef } from 'react'

import { isFieldError, useChange } from '../../api/change.ts'
import { prepareVoice, previewVoice, type SpokenKind } from '../../api/numbers.ts'
import { useTexts } from '../../i18n/language.tsx'
import { numberTexts } from '../../i18n/numbers.ts'
import { useFieldErrors } from '../../refusals/field-errors.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Player } from '../../ui/player/player.tsx'

interface SpokenTextProps {
  numberId: string
  kind: SpokenKind
  text: string
  error?: string
  onChange(text: string): void
}

/** The text of a prompt, with a voice preview. */
export function SpokenText({ numberId, kind, text, error, onChange }: SpokenTextProps) {
  const t = useTexts(numberTexts)
  const preview = useChange(() => previewVoice(numberId, { kind, text }), {
    touches: [],
    quietAbout: isFieldError,
  })
  const fieldError = useFieldErrors()
  const keepReady = useReadyVoice(numberId)
  return (
    <div className="mb-4">
      <TextArea
        label={t.text}
        value={text}
        error={error ?? fieldError(preview.error, 'text')}
        onChange={(event) => {
          preview.reset()
          keepReady()
          onChange(event.target.value)
        }}
      />
      <div className="-mt-2 flex flex-wrap items-center gap-2">
        <Button
          size="small"
          disabled={text.trim() === '' || preview.isPending}
          onClick={() => preview.mutate()}
        >
          <Volume2 size={15} aria-hidden="true" /> {preview.isPending ? t.hearing : t.hear}
        </Button>
        {preview.data && (
          <div className="min-w-56 flex-1">
            <Player key={preview.data.signed_id} src={preview.data.audio_url} label={t.hear} />
          </div>
        )}
      </div>
    </div>
  )
}

/** A voice that is not used rests after a minute. */
const LIMITS = { readyMs: 30_000 }

/** The voice is made ready when the text is opened, and kept ready while it is written. */
function useReadyVoice(numberId: string): () => void {
  const askedAt = useRef(Number.NEGATIVE_INFINITY)
  const keepReady = useCallback(() => {
    if (performance.now() - askedAt.current < LIMITS.readyMs) return
    askedAt.current = performance.now()
    void prepareVoice(numberId)
  }, [numberId])
  useEffect(keepReady, [keepReady])
  return keepReady
}
