import { useQuery } from '@tanstack/react-query'
import { RotateCw, TriangleAlert } from 'lucide-react'

import { callerContextQuery, type ContextEntry, integrationsAskedQuery } from '../api/caller-context.ts'
import type { Contact } from '../api/contacts.ts'
import { useConnection } from '../connection/reachability.ts'
import { contextTexts } from '../i18n/caller-context.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { IconButton } from '../ui/button.tsx'
import { Skeleton } from '../ui/states.tsx'
import { SafeLink } from './safe-link.tsx'
import { Section } from './section.tsx'

/**
 * What the company's integrations know about a number, for an employee in a call or a thread. Shows nothing if the
 * company has no integrations.
 */
export function CallerContext({ phone }: { phone: string }) {
  const t = useTexts(contextTexts)
  const { data, error, refetch, isFetching } = useQuery(callerContextQuery(phone))
  const { isReachable } = useConnection()
  if (data && data.enriched_at === null) return null
  return (
    <section aria-label={t.title} aria-busy={isFetching} className="border-t px-5 py-4">
      <header className="mb-2 flex items-center">
        <h3 className="flex-1 text-sm font-semibold text-soft">{t.title}</h3>
        {(data || error) && <AskAgain isAsking={isFetching} onAsk={() => void refetch()} />}
      </header>
      {!data && !error && isReachable && <Asking />}
      {!data && (error || !isReachable) && <Warning>{t.failed}</Warning>}
      {data?.enriched_at && (
        <div className="flex flex-col gap-5">
          {data.contexts.map((entry, index) => (
            <Entry key={index} entry={entry} known={data.contact} />
          ))}
          <Silent askedAt={data.enriched_at} noneFound={data.contexts.length === 0} />
        </div>
      )}
    </section>
  )
}

function AskAgain({ isAsking, onAsk }: { isAsking: boolean; onAsk(): void }) {
  const common = useTexts(shellTexts)
  return (
    <IconButton label={common.reload} className="size-7" disabled={isAsking} onClick={onAsk}>
      <RotateCw size={14} aria-hidden="true" className={isAsking ? 'animate-spin' : ''} />
    </IconButton>
  )
}

function Asking() {
  const t = useTexts(contextTexts)
  return (
    <div role="status" aria-label={t.asking} className="flex flex-col gap-2">
      <Skeleton className="h-3.5 w-1/2" />
      <Skeleton className="h-3 w-5/6" />
      <Skeleton className="h-3 w-2/3" />
    </div>
  )
}

/** Leaves out what the contact already shows. */
function Entry({ entry, known }: { entry: ContextEntry; known: Contact | null }) {
  const t = useTexts(contextTexts)
  const { label, source, url, contact, sections } = entry
  // Without a name no contact was made of it, so this is the only place for the rest.
  const rest = contact && !contact.name ? [contact.email, contact.note] : []
  const identity = [contact?.name, contact?.company_name, ...rest].filter(
    (text) => text && text !== known?.name && text !== known?.company_name,
  )
  return (
    <article aria-label={label}>
      <h4 className="font-semibold break-words">
        <SafeLink url={url ?? undefined} label={t.openIn(label)}>
          {label}
        </SafeLink>
      </h4>
      {source !== label && <p className="text-xs break-words text-soft">{source}</p>}
      {identity.length > 0 && <p className="mt-1 text-sm break-words">{identity.join(' · ')}</p>}
      {sections.map((section, index) => (
        <Section key={index} section={section} />
      ))}
    </article>
  )
}

/** Integrations that did not respond, so that the result may be incomplete. */
function Silent({ askedAt, noneFound }: { askedAt: string; noneFound: boolean }) {
  const t = useTexts(contextTexts)
  const { data } = useQuery(integrationsAskedQuery(askedAt))
  const failed = data?.filter(({ active, last_error }) => active && last_error !== null) ?? []
  if (failed.length === 0) return noneFound && <p className="text-sm text-soft">{t.nobody}</p>
  return failed.map(({ id, label }) => <Warning key={id}>{t.silent(label)}</Warning>)
}

const Warning = ({ children }: { children: string }) => (
  <p role="status" className="flex gap-2 rounded-lg bg-warn-ground px-3 py-2 text-sm text-warn">
    <TriangleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
    <span className="min-w-0 break-words">{children}</span>
  </p>
)
