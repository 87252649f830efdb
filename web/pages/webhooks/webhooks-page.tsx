import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'

import { webhooksQuery } from '../../api/webhooks.ts'
import { useTexts } from '../../i18n/language.tsx'
import { webhookTexts } from '../../i18n/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookForm } from './webhook-form.tsx'

export default function WebhooksPage() {
  const t = useTexts(webhookTexts)
  const webhooks = useQuery(webhooksQuery())
  const [adding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Button look="main" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden="true" /> {t.add}
        </Button>
      }
    >
      <Card>
        <Loaded query={webhooks}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <EmptyState drawing="connection" title={t.empty}>
                {t.emptyHint}
              </EmptyState>
            ) : (
              <ul className="divide-y">
                {webhooks.map(({ id, name, url, active, events }) => (
                  <li key={id}>
                    <Link
                      to="/webhooks/$id"
                      params={{ id }}
                      className="flex items-center gap-4 px-4 py-3 outline-offset-[-2px] hover:bg-hover"
                    >
                      <span className="min-w-0 flex-1">
                        <span className="block font-medium">{name}</span>
                        <span className="block truncate text-sm text-soft">{url}</span>
                        <span className="block truncate font-mono text-xs text-soft">
                          {events.join(', ')}
                        </span>
                      </span>
                      <Badge tone={active ? 'good' : 'plain'}>{active ? t.active : t.inactive}</Badge>
                      <ChevronRight size={18} aria-hidden="true" className="text-soft" />
                    </Link>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {adding && (
        <WebhookForm
          onClose={() => setAdding(false)}
          onCreated={({ signing_secret }) => setSecret(signing_secret)}
        />
      )}
      {secret !== undefined && (
        <SecretDialog title={t.created} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  )
}
