import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { Page } from '../../ui/page.tsx'

export default function InboxPage() {
  return <Page title={useTexts(shellTexts).inbox}>{null}</Page>
}
