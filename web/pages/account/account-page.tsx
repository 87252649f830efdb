import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'

import { useErrorText } from '../../i18n/errors.ts'
import { useLanguage, useTexts } from '../../i18n/language.tsx'
import { copyTexts } from '../../i18n/settings.ts'
import { usePageTitle } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import { addCopyButtons } from './copy-buttons.ts'
import { ACCOUNT, isAccountPath, readServerPage, type ServerPage, serverPageQuery } from './server-page.ts'

/**
 * The pages of the account are the server's, which also serves them to employees whom the dashboard does not let in
 * yet. Here their content is shown within the dashboard, so that the phone stays and a call goes on.
 */
export default function AccountPage() {
  const { pathname, searchStr } = useLocation()
  // The server renders them in the chosen language.
  const { language } = useLanguage()
  const href = pathname + searchStr
  // The address changes before another page takes the place of this one.
  if (!ACCOUNT.test(pathname)) return null
  return <AccountContent key={`${href} ${language}`} href={href} />
}

function AccountContent({ href }: { href: string }) {
  const { history } = useRouter()
  const toast = useToast()
  const errorText = useErrorText()
  const asked = useQuery(serverPageQuery(href))
  const [answered, setAnswered] = useState<ServerPage>()
  const submit = useMutation({
    mutationFn: readServerPage,
    onSuccess: (page, { url }) => {
      // A redirect leads to a page of its own; without one, the response belongs to the page with the form.
      if (page.href !== hrefOf(new URL(url)) && page.href !== href) history.replace(page.href)
      else setAnswered(page)
    },
    onError: (error) => toast({ tone: 'wrong', text: errorText(error) }),
  })
  const open = useCallback((to: string) => history.push(to), [history])
  return (
    <Loaded query={{ ...asked, data: answered ?? asked.data }}>
      {(page) => (
        <ServerContent
          page={page}
          isAnswer={page === answered}
          onOpen={open}
          onSubmit={(request) => !submit.isPending && submit.mutate(request)}
        />
      )}
    </Loaded>
  )
}

interface ServerContentProps {
  page: ServerPage
  isAnswer: boolean
  onOpen(href: string): void
  onSubmit(request: Request): void
}

/** In a shadow tree, where the stylesheet of the server's pages and that of the dashboard do not meet. */
function ServerContent({ page, isAnswer, onOpen, onSubmit }: ServerContentProps) {
  usePageTitle(page.title)
  const host = useRef<HTMLDivElement>(null)
  const copying = useTexts(copyTexts)
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' })
    const columns = document.createElement('div')
    columns.className = page.parts.length > 1 ? 'columns' : 'column'
    columns.append(...page.parts.map((part) => part.cloneNode(true)))
    addCopyButtons(columns, copying)
    root.replaceChildren(stylesheet(), columns)
    const first = root.querySelector<HTMLElement>('[aria-invalid], [autofocus]')
    if (first) first.focus()
    else if (isAnswer) host.current!.focus()
  }, [page, isAnswer, copying])

  useEffect(() => {
    const root = host.current!.shadowRoot!
    const click = (event: Event) => {
      const link = event.target instanceof Element && event.target.closest('a')
      if (!(event instanceof MouseEvent) || !link || !isPlain(event)) return
      const url = new URL(link.href)
      if (!isAccountPath(url)) return
      event.preventDefault()
      onOpen(hrefOf(url))
    }
    const send = (event: Event) => {
      const form = event.target
      if (!(event instanceof SubmitEvent) || !(form instanceof HTMLFormElement)) return
      event.preventDefault()
      const fields = new URLSearchParams()
      for (const [name, value] of new FormData(form, event.submitter))
        if (typeof value === 'string') fields.append(name, value)
      onSubmit(new Request(form.action, { method: 'POST', body: fields }))
    }
    root.addEventListener('click', click)
    root.addEventListener('submit', send)
    return () => {
      root.removeEventListener('click', click)
      root.removeEventListener('submit', send)
    }
  }, [onOpen, onSubmit])
  return <div ref={host} tabIndex={-1} className="@container pb-16 outline-none" />
}

function stylesheet(): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = '/assets/pages.css'
  return link
}

const hrefOf = ({ pathname, search }: URL) => pathname + search

/** Not one that opens another tab. */
const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
