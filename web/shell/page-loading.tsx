import { useLocation } from '@tanstack/react-router'

import { useConnection } from '../connection/reachability.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { Missing, SkeletonRows } from '../ui/states.tsx'
import { ALL_ITEMS } from './navigation-items.ts'

/** While the code of a page is loaded. */
export const PageLoading = () => (useConnection().isReachable ? <SkeletonRows /> : <MissingPage />)

/** In place of a whole page, which is named as in the navigation. */
export function MissingPage() {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const item = ALL_ITEMS.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return <Missing title={item && t.missingPage(t[item.name])} isHeading />
}
