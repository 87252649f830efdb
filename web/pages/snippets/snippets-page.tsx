import { useQuery } from '@tanstack/react-query'
import { ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { useChange } from '../../api/change.ts'
import { deleteSnippet, type Snippet, snippetsQuery, updateSnippet } from '../../api/snippets.ts'
import { useTexts } from '../../i18n/language.tsx'
import { snippetTexts } from '../../i18n/settings.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { TextingOff, useTextingIsOn } from '../texting/texting-off.tsx'
import { SnippetForm } from './snippet-form.tsx'

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; snippet: Snippet }

export default function SnippetsPage() {
  const t = useTexts(snippetTexts)
  if (useTextingIsOn()) return <Snippets />
  return (
    <Page title={t.title} lead={t.lead}>
      <TextingOff />
    </Page>
  )
}

function Snippets() {
  const t = useTexts(snippetTexts)
  const common = useTexts(shellTexts)
  const snippets = useQuery(snippetsQuery())
  const [doing, setDoing] = useState<Doing>()
  const touches = [['snippets']]
  const remove = useChange(deleteSnippet, { touches, said: t.deleted })
  const move = useChange(moveUp, { touches })
  const done = () => setDoing(undefined)
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Button look="main" onClick={() => setDoing({ what: 'add' })}>
          <Plus size={16} aria-hidden="true" /> {t.add}
        </Button>
      }
    >
      <Card>
        <Loaded query={snippets}>
          {(snippets) =>
            snippets.length === 0 ? (
              <EmptyState drawing="writing" title={t.empty}>
                {t.emptyHint}
              </EmptyState>
            ) : (
              <ul className="divide-y">
                {snippets.map((snippet, index) => (
                  <li key={snippet.id} className="flex items-start gap-1 px-4 py-3">
                    <div className="min-w-0 flex-1">
                      <p className="font-medium">{snippet.title}</p>
                      <p className="text-soft break-words whitespace-pre-wrap">{snippet.text}</p>
                    </div>
                    {index > 0 && (
                      <IconButton
                        label={t.up(snippet.title)}
                        onClick={() => move.mutate({ snippets, index })}
                      >
                        <ArrowUp size={16} />
                      </IconButton>
                    )}
                    <IconButton label={common.edit} onClick={() => setDoing({ what: 'edit', snippet })}>
                      <Pencil size={16} />
                    </IconButton>
                    <IconButton label={common.delete} onClick={() => setDoing({ what: 'delete', snippet })}>
                      <Trash2 size={16} />
                    </IconButton>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {doing?.what === 'add' && <SnippetForm last={snippets.data?.length ?? 0} onClose={done} />}
      {doing?.what === 'edit' && <SnippetForm snippet={doing.snippet} last={0} onClose={done} />}
      {doing?.what === 'delete' && (
        <ConfirmDialog
          open
          onClose={done}
          onConfirm={() => remove.mutate(doing.snippet.id)}
          title={t.deleteTitle(doing.snippet.title)}
          description={t.deleteHint}
          confirm={common.delete}
        />
      )}
    </Page>
  )
}

/** Positions may have gaps and duplicates: every snippet that is not at its new position is moved there. */
async function moveUp({ snippets, index }: { snippets: Snippet[]; index: number }): Promise<void> {
  const order = [...snippets]
  order.splice(index - 1, 0, ...order.splice(index, 1))
  for (const [position, { id, position: before }] of order.entries()) {
    if (before !== position) await updateSnippet(id, { position })
  }
}
