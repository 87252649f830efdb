import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'

import { sessionQuery } from '../api/session.ts'
import { useTexts } from '../i18n/language.tsx'
import { copyTexts } from '../i18n/settings.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/clipboard/copy-text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { onboardingTexts } from './texts.ts'

/** Numbers belong to the installation, which has to have a carrier for them: so it is a command, and not a form. */
export function AddNumber({ onClose }: { onClose(): void }) {
  const t = useTexts(onboardingTexts)
  const copying = useTexts(copyTexts)
  const toast = useToast()
  const companyId = useQuery(sessionQuery()).data?.company.id
  const command = `npx bellhop number add --company ${companyId} --number +45… --name "Shop" --sms`
  const copy = async () => {
    await copyText(command)
    toast({ tone: 'good', text: copying.copied })
  }
  return (
    <Dialog open onClose={onClose} title={t.add_number} description={t.addNumberSteps}>
      <code className="mb-4 block rounded-lg border border-dashed bg-ground px-3 py-2 text-sm break-words select-all">
        {command}
      </code>
      <p className="mb-4 text-sm text-soft">{t.carrierHint}</p>
      <div className="flex justify-end">
        <Button look="main" onClick={() => void copy()}>
          <Copy size={15} aria-hidden="true" /> {copying.copy}
        </Button>
      </div>
    </Dialog>
  )
}
