import { useEffect, useRef } from 'react'

import type { Call } from '../../api/calls.ts'
import { callTexts } from '../../i18n/calls.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Highlight } from './highlight.tsx'
import { type Segment, speakerOf } from './segment.ts'

/** The transcript; during playback the current segment is marked and kept in view. */
export function Transcript({ call, heard, query }: { call: Call; heard?: number; query: string }) {
  const t = useTexts(callTexts)
  const current = useRef<HTMLLIElement>(null)
  const segments = call.transcription_segments ?? []
  const at = heard === undefined ? -1 : segmentAt(segments, heard)
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
          className={`grid gap-x-4 rounded-lg px-2 py-1.5 sm:grid-cols-[9rem_1fr] ${index === at ? 'bg-accent-ground' : ''}`}
        >
          <span className="text-sm font-semibold text-soft">{speakerOf(segment, call, t.customer)}</span>
          <span>
            <Highlight text={segment.text} query={query} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Segments have no times: each is assumed to last in proportion to its length. */
function segmentAt(segments: Segment[], share: number): number {
  const letters = segments.reduce((sum, { text }) => sum + text.length, 0)
  let said = 0
  return segments.findIndex(({ text }) => (said += text.length) >= share * letters)
}
