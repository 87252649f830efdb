import { useState } from 'react'

import type { ContextSection } from '../api/caller-context.ts'
import { contextTexts } from '../i18n/caller-context.ts'
import { useTexts } from '../i18n/language.tsx'
import { Button } from '../ui/button.tsx'
import { SafeLink } from './safe-link.tsx'
import { Value } from './value.tsx'

/** More would push the next sections out of sight. */
const ROWS_AT_FIRST = 5

export function Section({ section }: { section: ContextSection }) {
  // A newer server may have other types.
  if (section.type === 'fields') return <Fields section={section} />
  return section.type === 'table' ? <Table section={section} /> : null
}

const Heading = ({ children }: { children: string }) => (
  <h5 className="mt-3 mb-1 text-sm font-semibold">{children}</h5>
)

function Fields({ section }: { section: Extract<ContextSection, { type: 'fields' }> }) {
  return (
    <>
      {section.label && <Heading>{section.label}</Heading>}
      <dl className="mt-1.5 grid grid-cols-[minmax(5rem,auto)_1fr] gap-x-3 gap-y-1 text-sm">
        {section.fields.map(({ label, value, format, url, bold }, index) => (
          <div key={index} className="col-span-2 grid grid-cols-subgrid">
            <dt className="break-words text-soft">{label}</dt>
            <dd className={`min-w-0 break-words ${bold ? 'font-semibold' : ''}`}>
              <Value value={value} format={format} url={url} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Table({ section }: { section: Extract<ContextSection, { type: 'table' }> }) {
  const t = useTexts(contextTexts)
  const [all, setAll] = useState(false)
  const { label, columns, rows } = section
  const shown = all ? rows : rows.slice(0, ROWS_AT_FIRST)
  return (
    <>
      <Heading>{label}</Heading>
      {/* Wide tables scroll by themselves, also by the keys. */}
      <div role="region" aria-label={label} tabIndex={0} className="-mx-1 overflow-x-auto px-1">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b text-left text-xs text-soft">
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={`py-1 pr-2.5 font-semibold last:pr-0 ${sideOf(column.format)}`}
                >
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ url, values }, row) => (
              <tr key={row} className="border-b align-top last:border-0">
                {columns.map(({ key, format }, at) => {
                  const value = values[key]
                  return (
                    <td key={key} className={`py-1 pr-2.5 last:pr-0 ${sideOf(format)}`}>
                      {value !== undefined &&
                        // The first cell has the link of the row.
                        (at === 0 ? (
                          <SafeLink url={url}>
                            <Value value={value} format={format} isLinked={url !== undefined} />
                          </SafeLink>
                        ) : (
                          <Value value={value} format={format} />
                        ))}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <Button size="small" look="bare" className="-ml-2 text-accent" onClick={() => setAll(true)}>
          {t.showAll(rows.length)}
        </Button>
      )}
    </>
  )
}

/** Numbers are aligned to be compared within a column. */
function sideOf(format: string | undefined): string {
  if (format === 'money') return 'text-right whitespace-nowrap tabular-nums'
  return format === 'date' ? 'whitespace-nowrap tabular-nums' : ''
}
