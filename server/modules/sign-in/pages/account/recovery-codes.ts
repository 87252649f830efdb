import { html, type Html } from '../../../../platform/http/html.ts'
import { notice, page } from '../../../../platform/http/layout.ts'
import type { Reader } from '../../../../platform/http/reader.ts'
import type { Session } from '../../session/sessions.ts'
import { twoFactorTexts } from '../../texts/two-factor.ts'
import { signedInBar } from '../bar.ts'

/** Shown once: only their hashes are stored. */
export function recoveryCodesPage(reader: Reader, session: Session, codes: string[], next: string): Html {
  const t = twoFactorTexts[reader.language]
  return page(reader, {
    title: t.keepTitle,
    bar: signedInBar(reader, session),
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
