import { html, type Html } from '../../../platform/http/html.ts'
import { notice, page } from '../../../platform/http/layout.ts'
import { signedInBar } from '../bar.ts'
import type { Session } from '../sessions.ts'

/** Shown once: from here on only their hashes are known. */
export const recoveryCodesPage = (session: Session, codes: string[], next: string): Html =>
  page({
    title: 'Keep these recovery codes',
    bar: signedInBar(session),
    wide: true,
    body: html`${notice('success', 'Two-factor sign-in is on.')}
      <section class="section">
        <p>
          Without your phone, each of these signs you in once. Print them or put them into your password
          manager now: they are not shown again.
        </p>
        <ul class="codes">
          ${codes.map((code) => html`<li><code>${code}</code></li>`)}
        </ul>
        <p><a class="button" href="${next}">I have kept them</a></p>
      </section>`,
  })
