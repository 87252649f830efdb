import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { subjects } from '../../server/config.ts'
import type { Setting } from '../../server/config/variables.ts'
import { packageRoot } from '../../server/platform/package-root.ts'

const INTRODUCTION = `# Settings

Every setting is an environment variable, or a line of the file \`.env\` in the folder that Bellhop is started from; the environment takes precedence. An empty variable counts as unset. A value that is not accepted is refused at the start, with a sentence that names the variable. Several processes of one installation share their settings, except for ports and addresses.

\`npm run settings-page\` generates this page from \`server/config.ts\` and the comments in \`.env.example\`. A dash means that there is no default, or that the text says what it is.
`

interface Example {
  comment: string
  value: string
}

/** What .env.example says about each variable. */
async function readExamples(): Promise<Map<string, Example>> {
  const text = await readFile(join(packageRoot, '.env.example'), 'utf8')
  const found = [...text.matchAll(/^((?:# .*\n)+)#([A-Z\d_]+)=(.*)$/gm)]
  return new Map(
    found.map(([, comment, name, value]) => [
      name!,
      { comment: comment!.replaceAll(/^# /gm, '').replaceAll('\n', ' ').trim(), value: value! },
    ]),
  )
}

export async function settingsPage(): Promise<string> {
  const examples = await readExamples()
  const sections = Object.entries(subjects).map(([title, { table }]) => {
    const rows = Object.entries<Setting>(table).map(([name, setting]) => {
      const { comment, value } = examples.get(name)!
      return `| \`${name}\` | ${defaultOf(setting, value)} | ${cell(comment)} | ${cell(setting[1])} |`
    })
    return `\n## ${title}\n\n| Variable | Default | What it sets | Accepted |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return INTRODUCTION + sections.join('')
}

/** The example has the default in the form in which it is written, if there is one that is the same on every machine. */
function defaultOf([schema]: Setting, example: string): string {
  const isDefault =
    example !== '' && isDeepStrictEqual(schema.safeParse(example).data, schema.safeParse(undefined).data)
  return isDefault ? `\`${example}\`` : '–'
}

const cell = (text: string) => text.replaceAll('|', '\\|')
