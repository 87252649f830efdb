import { isFieldError, useChange } from '../../api/change.ts'
import { createSnippet, type Snippet, updateSnippet } from '../../api/snippets.ts'
import { useTexts } from '../../i18n/language.tsx'
import { snippetTexts } from '../../i18n/settings.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog, useInput } from '../../ui/form.tsx'

interface SnippetFormProps {
  snippet?: Snippet
  /** The position of a new one. */
  last: number
  onClose(): void
}

export function SnippetForm({ snippet, last, onClose }: SnippetFormProps) {
  const t = useTexts(snippetTexts)
  const common = useTexts(shellTexts)
  const { input, bind, isChanged } = useInput({ title: snippet?.title ?? '', text: snippet?.text ?? '' })
  const save = useChange(
    () => (snippet ? updateSnippet(snippet.id, input) : createSnippet({ ...input, position: last })),
    { touches: [['snippets']], said: common.saved, onDone: onClose, quietAbout: isFieldError },
  )
  return (
    <FormDialog
      title={snippet ? t.edit : t.add}
      isPending={save.isPending}
      error={save.error}
      isChanged={isChanged}
      onClose={onClose}
      onSubmit={save.mutate}
    >
      <TextField label={t.name} required {...bind('title', save.error)} />
      <TextArea label={t.text} required rows={5} {...bind('text', save.error)} />
    </FormDialog>
  )
}
