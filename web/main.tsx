import './style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { queryClient } from './api/query-client.ts'
import { LanguageProvider, loadFirstLanguage } from './i18n/language.tsx'
import { keepEscapeForSelects } from './keys/keep-escape-for-selects.ts'
import { loadDictionary } from './languages/index.ts'
import { forgetDraftsAfterSignOut } from './outbox/drafts.ts'
import { router } from './router.tsx'
import { applyTheme } from './ui/theme/theme.ts'
import { ToastProvider } from './ui/toast.tsx'

forgetDraftsAfterSignOut()
applyTheme()
keepEscapeForSelects()
const first = await loadFirstLanguage(loadDictionary)

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <LanguageProvider first={first} load={loadDictionary}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </LanguageProvider>
    </QueryClientProvider>
  </StrictMode>,
)
