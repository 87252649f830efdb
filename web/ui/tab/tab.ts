import plain from '../../favicon.svg'
import ringing from './ringing.svg'
import unseen from './unseen.svg'

interface Tab {
  /** The title of the page. */
  page: string
  /** How many items of the inbox nobody has seen. */
  unseen: number
  /** Who calls, while the phone rings. */
  caller: string | undefined
}

let tab: Tab = { page: '', unseen: 0, caller: undefined }

/** The tab shows what happens while another one is open: who calls, and how much is unseen. */
export function showInTab(change: Partial<Tab>): void {
  tab = { ...tab, ...change }
  document.title = titleOf(tab)
  document.querySelector('link[rel=icon]')?.setAttribute('href', iconOf(tab))
}

function titleOf({ page, unseen, caller }: Tab): string {
  const title = [caller === undefined ? page : `☎ ${caller}`, 'Bellhop'].filter(Boolean).join(' · ')
  return unseen > 0 ? `(${unseen}) ${title}` : title
}

function iconOf(tab: Tab): string {
  if (tab.caller !== undefined) return ringing
  return tab.unseen > 0 ? unseen : plain
}
