import { lazy, Suspense, useEffect, useState } from 'react'

import { onOpenPalette } from '../palette/open-palette.ts'
import { KeyList } from './key-list.tsx'
import { useKeys } from './use-keys.ts'

const Palette = lazy(() => import('../palette/palette.tsx'))

/** The keys of every page, and what they open. */
export function ShellKeys() {
  const [opened, setOpened] = useState<'palette' | 'keys'>()
  const close = () => setOpened(undefined)
  useEffect(() => onOpenPalette(() => setOpened('palette')), [])
  useKeys({ '/': focusSearch, '?': () => setOpened('keys') })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== 'k') return
      event.preventDefault()
      setOpened((now) => (now === 'palette' ? undefined : 'palette'))
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <KeyList open={opened === 'keys'} onClose={close} />
      {opened === 'palette' && (
        <Suspense fallback={null}>
          <Palette onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  field?.focus()
  field?.select()
}
