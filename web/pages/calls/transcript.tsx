import { type MouseEvent, useEffect, useRef } from 'react'

import type { Call } from '../../api/calls.ts'
import { callTexts } from '../../i18n/calls.ts'
import { clockTime } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Highlight } from './highlight.tsx'
import { segmentAt, segmentStarts, timeOf } from './segment-times.ts'
import { speakerOf } from './segment.ts'

interface TranscriptProps {
  call: Call
  /** The position of the player in seconds, once it plays. */
  heard?: number
  /** The length of the recording in seconds, once it is known. */
  length?: number
  query: string
  /** Plays the recording from this position; undefined without one. */
  onPlay?(seconds: number): void
}

/** The transcript; during playback the current segment is marked and kept in view. A word is played by a click on it. */
export function Transcript({ call, heard, length = call.duration ?? 0, query, onPlay }: TranscriptProps) {
  const t = useTexts(callTexts)
  const current = useRef<HTMLLIElement>(null)
  const segments = call.transcription_segments ?? []
  const starts = segmentStarts(segments, length)
  const at = heard === undefined ? -1 : segmentAt(starts, heard)
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' })
  }, [at])
  if (segments.length === 0) {
    return (
      <p className={call.transcription ? 'max-w-prose whitespace-pre-wrap' : 'text-soft'}>
        {call.transcription ? <Highlight text={call.transcription} query={query} /> : t.noTranscript}
      </p>
    )
  }
  return (
    <ol className="flex flex-col gap-1">
      {segments.map((segment, index) => (
        <li
          // The same text may occur twice.
          key={index}
          ref={index === at ? current : undefined}
          aria-current={index === at ? 'true' : undefined}
          className={`grid gap-x-4 rounded-lg px-2 py-1.5 sm:grid-cols-[9rem_3.5rem_1fr] ${index === at ? 'bg-accent-ground' : ''}`}
        >
          <span className="text-sm font-semibold text-soft">{speakerOf(segment, call, t.customer)}</span>
          {onPlay ? (
            <button
              type="button"
              aria-label={t.playFrom(clockTime(starts[index]!))}
              className="self-start text-left text-sm text-soft tabular-nums hover:text-accent hover:underline"
              onClick={() => onPlay(starts[index]!)}
            >
              {clockTime(starts[index]!)}
            </button>
          ) : (
            <span />
          )}
          {/* For a mouse; the button beside it is for the keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
          <span
            className={onPlay && 'cursor-pointer'}
            onClick={(event) => onPlay?.(timeOf(starts, length, index, clickedShare(event)))}
          >
            <Highlight text={segment.text} query={query} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Where in the text of the element the click was: 0 at its beginning, 1 at its end. */
function clickedShare({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): number {
  const caret = document.caretRangeFromPoint?.(clientX, clientY)
  const letters = currentTarget.textContent?.length ?? 0
  if (!caret || letters === 0 || !currentTarget.contains(caret.startContainer)) return 0
  const before = document.createRange()
  before.setStart(currentTarget, 0)
  before.setEnd(caret.startContainer, caret.startOffset)
  return before.toString().length / letters
}
