import type { CampaignState } from './campaign-state.ts'
import type { CampaignResult } from './campaign.ts'
import type { DrawnFaults } from './faults/draw.ts'

const LIMITS = { sentences: 10 }

/** One line of progress. */
export function progressOf(
  { books, sink, provider, live, stage }: CampaignState,
  { counts }: DrawnFaults,
): string {
  const { contacts, texts, calls } = books
  return [
    `${sum(counts.values())} faults`,
    `${contacts.acknowledged} writes (${contacts.doubtful.size} unanswered)`,
    `${texts.asked} texts (${sum(provider.sent.values())} sent)`,
    `${sink.requests()} webhooks`,
    `${calls.placed} calls (${calls.talked} talked, ${calls.transferred} transferred, ${calls.broken.length} broken)`,
    `${sum(live.map((client) => client.heard()))} live messages`,
    `${stage.roles.filter((role) => role.isUp()).length} of ${stage.roles.length} processes up`,
  ].join(', ')
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

/** The result as a table, followed by violations and the faults that were injected. */
export function reportOf({ findings, drawn, settledSeconds }: CampaignResult): string {
  const rows = findings.map(({ name, checked, broken }) => [name, String(checked), String(broken.length)])
  const faults = [...drawn.counts].toSorted(([a], [b]) => a.localeCompare(b))
  const sentences = findings.flatMap(({ name, broken }) =>
    broken.slice(0, LIMITS.sentences).map((sentence) => `  ${name}: ${sentence}`),
  )
  return [
    `settled in ${settledSeconds.toFixed(0)} s`,
    '',
    ...table([['promise', 'checked', 'broken'], ...rows]),
    ...(sentences.length > 0 ? ['', 'broken:', ...sentences] : []),
    '',
    ...table([['fault', 'drawn'], ...faults.map(([name, count]) => [name, String(count)])]),
    '',
  ].join('\n')
}

function table(lines: string[][]): string[] {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
