import type { Page } from '../../../platform/http/page.ts'
import { accountPages } from './account/account.ts'
import { changePasswordPages } from './account/change-password.ts'
import { emailChangePages } from './account/email-change.ts'
import { twoFactorSetupPages } from './account/two-factor-setup.ts'
import { twoFactorPages } from './account/two-factor.ts'
import { codePages } from './code.ts'
import { forgottenPasswordPages } from './forgotten-password.ts'
import type { SignInPageParts } from './page-dependencies.ts'
import { setPasswordPages } from './set-password.ts'
import { signInPages } from './sign-in.ts'

export const allSignInPages = (parts: SignInPageParts): Page[] => [
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
