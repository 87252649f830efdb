import './style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { queryClient } from './api/query-client.ts'
import { LanguageProvider } from './i18n/language.tsx'
import { forgetDraftsAfterSignOut } from './outbox/drafts.ts'
import { router } from './router.tsx'
import { applyTheme } from './ui/theme/theme.ts'
import { ToastProvider } from './ui/toast.tsx'

forgetDraftsAfterSignOut()
applyTheme()

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <LanguageProvider>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </LanguageProvider>
    </QueryClientProvider>
  </StrictMode>,
)
