import { useState } from 'react'

import { fieldError, isFieldError, useChange } from '../../api/change.ts'
import { createSnippet, type Snippet, updateSnippet } from '../../api/snippets.ts'
import { useTexts } from '../../i18n/language.tsx'
import { snippetTexts } from '../../i18n/settings.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'

interface SnippetFormProps {
  snippet?: Snippet
  /** Where a new one goes. */
  last: number
  onClose(): void
}

export function SnippetForm({ snippet, last, onClose }: SnippetFormProps) {
  const t = useTexts(snippetTexts)
  const common = useTexts(shellTexts)
  const [title, setTitle] = useState(snippet?.title ?? '')
  const [text, setText] = useState(snippet?.text ?? '')
  const save = useChange(
    () =>
      snippet ? updateSnippet(snippet.id, { title, text }) : createSnippet({ title, text, position: last }),
    { touches: [['snippets']], said: common.saved, onDone: onClose, quietAbout: isFieldError },
  )
  return (
    <Dialog open onClose={onClose} title={snippet ? t.edit : t.add}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextField
          label={t.name}
          required
          value={title}
          error={fieldError(save.error, 'title')}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextArea
          label={t.text}
          required
          rows={5}
          value={text}
          error={fieldError(save.error, 'text')}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="main" disabled={save.isPending}>
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
