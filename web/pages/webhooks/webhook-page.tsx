import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft, Ellipsis, SendHorizontal } from 'lucide-react'
import { useState } from 'react'

import { useChange } from '../../api/change.ts'
import {
  deleteWebhook,
  rotateSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
  webhookQuery,
} from '../../api/webhooks.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { webhookTexts } from '../../i18n/webhooks.ts'
import { MissingPage } from '../../shell/page-loading.tsx'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookForm } from './webhook-form.tsx'

export default function WebhookPage() {
  const { id = '' } = useParams({ strict: false })
  const webhook = useQuery(webhookQuery(id))
  return (
    <Loaded query={webhook} missing={<MissingPage />}>
      {(webhook) => <WebhookDetails webhook={webhook} />}
    </Loaded>
  )
}

type Doing = { what: 'edit' | 'delete' | 'rotate' } | { what: 'secret'; secret: string }

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts)
  const common = useTexts(shellTexts)
  const navigate = useNavigate()
  const [doing, setDoing] = useState<Doing>()
  const { id, name, active } = webhook
  const touches = [['webhooks']]
  const test = useChange(() => testWebhook(id), { touches, said: t.tested })
  const toggle = useChange(() => updateWebhook(id, { active: !active }), { touches, said: common.saved })
  const rotate = useChange(() => rotateSecret(id), {
    touches: [],
    onDone: ({ signing_secret }) => setDoing({ what: 'secret', secret: signing_secret }),
  })
  const remove = useChange(() => deleteWebhook(id), {
    touches: [],
    said: t.deleted,
    onDone: () => void navigate({ to: '/webhooks' }),
  })
  const done = () => setDoing(undefined)
  return (
    <Page
      title={name}
      lead={<span className="break-all">{webhook.url}</span>}
      actions={
        <>
          <Link to="/webhooks" className={buttonClass()}>
            <ArrowLeft size={16} aria-hidden="true" /> {t.back}
          </Link>
          <Button look="main" disabled={test.isPending} onClick={() => test.mutate()}>
            <SendHorizontal size={16} aria-hidden="true" /> {t.test}
          </Button>
          <Menu
            trigger={
              <IconButton label={common.more}>
                <Ellipsis size={18} />
              </IconButton>
            }
          >
            <MenuItem onSelect={() => setDoing({ what: 'edit' })}>{common.edit}</MenuItem>
            <MenuItem onSelect={() => toggle.mutate()}>{active ? t.switchOff : t.switchOn}</MenuItem>
            <MenuItem onSelect={() => setDoing({ what: 'rotate' })}>{t.rotate}</MenuItem>
            <MenuItem danger onSelect={() => setDoing({ what: 'delete' })}>
              {common.delete}
            </MenuItem>
          </Menu>
        </>
      }
    >
      <Card className="mb-5 flex flex-wrap items-center gap-2 p-4">
        <Badge tone={active ? 'good' : 'plain'}>{active ? t.active : t.inactive}</Badge>
        {webhook.events.map((event) => (
          <code key={event} className="rounded-md bg-hover px-1.5 py-0.5 text-sm">
            {event}
          </code>
        ))}
      </Card>
      <DeliveryLog webhookId={id} />
      {doing?.what === 'edit' && <WebhookForm webhook={webhook} onClose={done} />}
      {doing?.what === 'secret' && <SecretDialog title={t.rotate} secret={doing.secret} onClose={done} />}
      {doing?.what === 'rotate' && (
        <ConfirmDialog
          open
          onClose={done}
          onConfirm={() => rotate.mutate()}
          title={t.rotate}
          description={t.rotateHint}
          confirm={t.rotate}
        />
      )}
      {doing?.what === 'delete' && (
        <ConfirmDialog
          open
          onClose={done}
          onConfirm={() => remove.mutate()}
          title={t.deleteTitle(name)}
          description={t.deleteHint}
          confirm={common.delete}
        />
      )}
    </Page>
  )
}
