import type { Page } from '../../../platform/http/page.ts'
import { accountPages } from './account.ts'
import { changePasswordPages } from './change-password.ts'
import { codePages } from './code.ts'
import { emailChangePages } from './email-change.ts'
import { forgottenPasswordPages } from './forgotten-password.ts'
import type { PageParts } from './parts.ts'
import { setPasswordPages } from './set-password.ts'
import { signInPages } from './sign-in.ts'
import { twoFactorSetupPages } from './two-factor-setup.ts'
import { twoFactorPages } from './two-factor.ts'

export const declarePages = (parts: PageParts): Page[] => [
  ...signInPages(parts),
  ...codePages(parts),
  ...forgottenPasswordPages(parts),
  ...setPasswordPages(parts),
  ...emailChangePages(parts),
  ...accountPages(parts),
  ...changePasswordPages(parts),
  ...twoFactorPages(parts),
  ...twoFactorSetupPages(parts),
]
