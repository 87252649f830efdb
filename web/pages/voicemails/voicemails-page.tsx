import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useDeferredValue, useState } from 'react'

import { useChange } from '../../api/change.ts'
import type { components } from '../../api/schema.ts'
import { deleteVoicemail, setListened, voicemailSearchQuery, voicemailsQuery } from '../../api/voicemails.ts'
import { useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { voicemailTexts } from '../../i18n/voicemails.ts'
import { useCustomerName } from '../../people/customer-name.ts'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { Player } from '../../ui/player/player.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Highlight } from '../calls/highlight.tsx'

/** Each row has an audio player, which is expensive. */
const ROWS_AT_ONCE = 50

type Listed = components['schemas']['ListedVoicemail']

export default function VoicemailsPage() {
  const t = useTexts(voicemailTexts)
  const common = useTexts(shellTexts)
  const [rows, setRows] = useState(ROWS_AT_ONCE)
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed.trim())
  const all = useQuery(voicemailsQuery())
  const matching = useQuery({
    ...voicemailSearchQuery(query),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={t.title}
      lead={all.data && all.data.voicemails.length > 0 && t.unlistened(all.data.unlistened_count)}
    >
      {all.data && all.data.voicemails.length > 0 && (
        <SearchBox label={t.search} className="mb-4 max-w-md" value={typed} onChange={setTyped} />
      )}
      <Card>
        <Loaded query={query === '' ? all : matching}>
          {({ voicemails }) =>
            voicemails.length === 0 ? (
              <EmptyState drawing="voicemails" title={query === '' ? t.empty : t.nothingFound}>
                {query === '' ? t.emptyHint : t.nothingFoundHint}
              </EmptyState>
            ) : (
              <>
                <ul className="divide-y">
                  {voicemails.slice(0, rows).map((voicemail) => (
                    <VoicemailRow key={voicemail.id} voicemail={voicemail} query={query} />
                  ))}
                </ul>
                {voicemails.length > rows && (
                  <LoadMore key={rows} label={common.showMore} onMore={() => setRows(rows + ROWS_AT_ONCE)} />
                )}
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}

function VoicemailRow({ voicemail, query }: { voicemail: Listed; query: string }) {
  const t = useTexts(voicemailTexts)
  const common = useTexts(shellTexts)
  const dates = useDates()
  const navigate = useNavigate()
  const name = useCustomerName()(voicemail, voicemail.from)
  const [deleting, setDeleting] = useState(false)
  const touches = [['voicemails'], ['activity'], ['inbox'], ['unseen']]
  const listen = useChange(setListened, { touches })
  const remove = useChange(deleteVoicemail, { touches, said: t.deleted })
  const listened = voicemail.listened_at !== null
  const mark = (listened: boolean) => listen.mutate({ id: voicemail.id, listened })
  return (
    <li className="px-4 py-3.5">
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1">
          <span className={listened ? 'font-medium' : 'font-bold'}>{name}</span>{' '}
          <span className="text-sm text-soft">
            {voicemail.main_number_name} · {dates.whole(voicemail.created_at)}
          </span>
        </p>
        {!listened && <Badge tone="accent">{t.new}</Badge>}
        <Menu
          trigger={
            <IconButton label={t.actions}>
              <Ellipsis size={18} />
            </IconButton>
          }
        >
          <MenuItem
            onSelect={() => void navigate({ to: '/inbox/$phone', params: { phone: voicemail.from } })}
          >
            {t.conversation}
          </MenuItem>
          <MenuItem onSelect={() => mark(!listened)}>{listened ? t.markNew : t.markListened}</MenuItem>
          <MenuItem danger onSelect={() => setDeleting(true)}>
            {common.delete}
          </MenuItem>
        </Menu>
      </div>
      {voicemail.recording_url && (
        <div className="mt-2">
          <Player
            src={voicemail.recording_url}
            recording={{ of: 'voicemail', id: voicemail.id }}
            seconds={voicemail.duration ?? undefined}
            label={t.listen(name)}
            onFirstPlay={() => !listened && mark(true)}
          />
        </div>
      )}
      <p className={`mt-2 max-w-prose ${voicemail.transcription ? '' : 'text-sm text-soft'}`}>
        {voicemail.transcription ? (
          <Highlight text={voicemail.transcription} query={query} />
        ) : (
          t.noTranscript
        )}
      </p>
      <ConfirmDialog
        open={deleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove.mutate(voicemail.id)}
        title={t.deleteTitle}
        description={t.deleteHint}
        confirm={common.delete}
      />
    </li>
  )
}
