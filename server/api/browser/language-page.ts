import { returnPath } from '../../modules/sign-in/index.ts'
import { LANGUAGE_PATH } from '../../platform/http/layout.ts'
import { type Page, redirectTo } from '../../platform/http/page.ts'
import { isLanguage, languageCookie } from '../../platform/http/viewer-preferences.ts'

/** Stores the chosen language in a cookie, which the dashboard reads too, and returns to the page. */
export const languagePage: Page = {
  method: 'POST',
  path: LANGUAGE_PATH,
  async handle({ form }) {
    const language = form.get('language') ?? undefined
    const cookies = isLanguage(language) ? [languageCookie(language)] : []
    return redirectTo(returnPath(form.get('at')) ?? '/', { cookies })
  },
}
