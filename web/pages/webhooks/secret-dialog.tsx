import { Copy } from 'lucide-react'

import { useTexts } from '../../i18n/language.tsx'
import { webhookTexts } from '../../i18n/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard/copy-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Shown once: it cannot be read again. */
export function SecretDialog({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  const t = useTexts(webhookTexts)
  const toast = useToast()
  const copy = async () => {
    await copyText(secret)
    toast({ tone: 'good', text: t.copied })
  }
  return (
    <Dialog open onClose={onClose} title={title} description={t.secretHint}>
      <code className="mb-4 block rounded-lg border border-dashed bg-ground px-3 py-2 break-all select-all">
        {secret}
      </code>
      <div className="flex justify-end gap-2">
        <Button onClick={() => void copy()}>
          <Copy size={15} aria-hidden="true" /> {t.copy}
        </Button>
        <Button look="main" onClick={onClose}>
          {t.kept}
        </Button>
      </div>
    </Dialog>
  )
}
