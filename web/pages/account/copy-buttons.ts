import type { Translation } from '../../i18n/language.tsx'
import type { copyTexts } from '../../i18n/settings.ts'
import { copyText } from '../../ui/clipboard/copy-text.ts'

/** Beside everything that is shown once. */
export function addCopyButtons(content: Element, t: Translation<(typeof copyTexts)['en']>): void {
  for (const secret of content.querySelectorAll('.secret')) {
    const row = document.createElement('span')
    row.className = 'secret-row'
    secret.replaceWith(row)
    row.append(
      secret,
      copyButton(t.copy, t.copied, () => withoutGroups(secret)),
    )
  }
  for (const codes of content.querySelectorAll('.codes')) {
    const lines = () => [...codes.children].map(({ textContent }) => textContent.trim()).join('\n')
    codes.after(copyButton(t.copyAll, t.copied, lines))
  }
}

/** Secrets have no spaces but those that make them easier to type. */
const withoutGroups = ({ textContent }: Element) => textContent.replace(/\s/g, '')

function copyButton(label: string, copied: string, text: () => string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet small copy'
  button.textContent = label
  // Read out when its text changes.
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', () => {
    copyText(text()).then(
      () => (button.textContent = copied),
      () => undefined,
    )
  })
  return button
}
