import { html, type Html } from '../../../../platform/http/html.ts'
import { notice, page } from '../../../../platform/http/layout.ts'
import type { ViewerPreferences } from '../../../../platform/http/viewer-preferences.ts'
import type { Session } from '../../session/sessions.ts'
import { twoFactorTexts } from '../../texts/two-factor.ts'
import { signedInHeader } from '../page-header.ts'

/** Shown once: only their hashes are stored. */
export function recoveryCodesPage(
  reader: ViewerPreferences,
  session: Session,
  codes: string[],
  next: string,
): Html {
  const t = twoFactorTexts[reader.language]
  return page(reader, {
    title: t.keepTitle,
    bar: signedInHeader(reader, session),
    wide: true,
    body: html`${notice('success', t.isOn)}
      <section class="section">
        <p>${t.keep}</p>
        <ul class="codes">
          ${codes.map((code) => html`<li><code>${code}</code></li>`)}
        </ul>
        <p><a class="button" href="${next}">${t.kept}</a></p>
      </section>`,
  })
}
