import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

/** Opens the thread with a number, known or not; the text is written there. */
export function NewText({ open, onClose }: { open: boolean; onClose(): void }) {
  const t = useTexts(inboxTexts)
  const navigate = useNavigate()
  const [phone, setPhone] = useState('')
  const start = () => {
    onClose()
    setPhone('')
    void navigate({ to: '/inbox/$phone', params: { phone: phone.replace(/[\s().-]/g, '') } })
  }
  return (
    <Dialog open={open} onClose={onClose} title={t.newText}>
      <Form onSubmit={start}>
        <TextField
          label={t.newTextTo}
          hint={t.newTextHint}
          type="tel"
          required
          pattern="\+?[\d\s\(\).\-]{6,24}"
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
        <div className="flex justify-end">
          <Button type="submit" look="main">
            {t.start}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
