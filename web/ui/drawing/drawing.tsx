import type { ReactNode } from 'react'

/** Lines are in the colour of text; what they enclose is filled, or tinted. */
const FILLED = 'fill-surface'
const TINTED = 'fill-accent/25'
const ACCENT = 'stroke-accent'

const DRAWINGS = {
  conversation: (
    <>
      <path
        className={FILLED}
        d="M30 26h46a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8H50L38 70V60h-8a8 8 0 0 1-8-8V34a8 8 0 0 1 8-8Z"
      />
      <path d="M34 38h36M34 48h22" />
      <path className={TINTED} d="M92 44h6a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8h-4v9l-11-9H70a8 8 0 0 1-7-5" />
    </>
  ),
  done: (
    <>
      <path className={FILLED} d="M38 42h40v18a18 18 0 0 1-18 18h-4a18 18 0 0 1-18-18Z" />
      <path className={TINTED} d="M78 47h6a7 7 0 0 1 0 14h-6" />
      <path d="M30 84h56" />
      <path className={ACCENT} d="m50 59 6 6 11-12" />
      <path d="M50 34c-3-4 3-6 0-10M62 34c-3-4 3-6 0-10" />
    </>
  ),
  calls: (
    <>
      <path
        className={FILLED}
        d="M45 29l8 14-6 7c3 8 9 14 17 17l7-6 14 8-4 11c-1 2-3 3-5 3C54 80 37 63 34 41c0-2 1-4 3-5Z"
      />
      <path className={ACCENT} d="M70 40a11 11 0 0 1 10 10M72 28a23 23 0 0 1 20 20" />
    </>
  ),
  voicemails: (
    <>
      <rect className={FILLED} x="24" y="32" width="72" height="44" rx="8" />
      <circle className={TINTED} cx="44" cy="52" r="9" />
      <circle className={TINTED} cx="76" cy="52" r="9" />
      <path d="M44 61h32M40 76l4-7h32l4 7" />
      <path className={ACCENT} d="M44 52h.01M76 52h.01" />
    </>
  ),
  contacts: (
    <>
      <path className={TINTED} d="M34 34V26h56a6 6 0 0 1 6 6v40" />
      <rect className={FILLED} x="24" y="34" width="66" height="46" rx="8" />
      <circle cx="44" cy="52" r="6" />
      <path d="M34 70c1-6 5-9 10-9s9 3 10 9" />
      <path className={ACCENT} d="M64 50h16M64 60h16M64 70h9" />
    </>
  ),
  people: (
    <>
      <circle className={TINTED} cx="82" cy="42" r="9" />
      <path className={TINTED} d="M70 66c2-8 6-11 12-11s13 4 14 15" />
      <circle className={FILLED} cx="50" cy="40" r="12" />
      <path className={FILLED} d="M26 80c1-16 10-23 24-23s23 7 24 23Z" />
      <path className={ACCENT} d="M45 70h10" />
    </>
  ),
  numbers: (
    <>
      <rect className={FILLED} x="38" y="18" width="44" height="66" rx="9" />
      <path className={TINTED} d="M46 26h28v13H46Z" />
      <path
        d="M49 50h.01M60 50h.01M71 50h.01M49 60h.01M60 60h.01M71 60h.01M49 70h.01M71 70h.01"
        strokeWidth="4"
      />
      <path className={ACCENT} d="M60 70h.01" strokeWidth="4" />
    </>
  ),
  connection: (
    <>
      <path
        className={FILLED}
        d="M32 44h20v20H32a4 4 0 0 1-4-4V48a4 4 0 0 1 4-4ZM68 40h20a6 6 0 0 1 6 6v16a6 6 0 0 1-6 6H68Z"
      />
      <path d="M52 49h6M52 59h6M94 54h10M28 54H14" />
      <path className={ACCENT} d="M60 32v-8M69 33l5-6M51 33l-5-6" />
    </>
  ),
  writing: (
    <>
      <path className={FILLED} d="M34 20h34l16 16v44a5 5 0 0 1-5 5H39a5 5 0 0 1-5-5Z" />
      <path className={TINTED} d="M68 20v16h16" />
      <path d="M44 50h22M44 60h30M44 70h14" />
      <path className={`${FILLED} ${ACCENT}`} d="m92 46 7 7-23 23-9 2 2-9Z" />
    </>
  ),
  offline: (
    <>
      <path className={FILLED} d="M40 70a15 15 0 0 1-1-30 21 21 0 0 1 40-4 17 17 0 0 1 3 34Z" />
      <path className={ACCENT} d="M30 26l60 54" />
    </>
  ),
  signpost: (
    <>
      <path d="M60 18v68M46 86h28" />
      <path className={FILLED} d="M38 26h40l10 8-10 8H38Z" />
      <path className={TINTED} d="M82 48H44l-10 8 10 8h38Z" />
    </>
  ),
  broken: (
    <>
      <path
        className={FILLED}
        d="M60 22a21 21 0 0 1 21 21c0 17 7 22 7 27H32c0-5 7-10 7-27a21 21 0 0 1 21-21Z"
      />
      <path className={TINTED} d="M51 76a9 9 0 0 0 18 0Z" />
      <path className={ACCENT} d="m62 22-6 13 10 8-9 9 5 18" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type DrawingName = keyof typeof DRAWINGS

/** For a page or a list that has nothing to show. */
export const Drawing = ({ of }: { of: DrawingName }) => (
  <svg
    viewBox="0 0 120 104"
    width="120"
    height="104"
    aria-hidden="true"
    fill="none"
    strokeWidth="2.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    className="mb-2 stroke-soft"
  >
    <path
      className="fill-accent-ground stroke-none"
      d="M18 60c-6-20 8-44 32-48s52 6 58 30-6 46-32 52-51-10-58-34Z"
    />
    {DRAWINGS[of]}
  </svg>
)
