import { Argument, type Command } from 'commander'

import { addEngine } from '../../server/wiring/engines/add-engine.ts'
import { isEngineInstalled, WITHOUT } from '../../server/wiring/engines/missing-engines.ts'
import { ENGINE_NAMES, type EngineName } from '../../server/wiring/engines/packages.ts'
import { print } from '../operator-command.ts'
import { table } from '../table.ts'

export function addEngineCommands(engines: Command): void {
  engines
    .command('list')
    .description('show which engines are installed, and what is off without the others')
    .action((_: unknown, command: Command) => {
      const found = ENGINE_NAMES.map((name) => ({ name, installed: isEngineInstalled(name) }))
      const rows = found.map(({ name, installed }) => [
        name,
        installed ? 'installed' : `not installed: ${WITHOUT[name]}`,
      ])
      print(command, { json: { engines: found }, text: table(rows, '') })
    })

  engines
    .command('add')
    .description('download missing engines with npm: all of them, or those that are named')
    .addArgument(new Argument('[engine...]').choices(ENGINE_NAMES))
    .action(async (chosen: EngineName[], _: unknown, command: Command) => {
      const added: EngineName[] = []
      for (const name of chosen.length > 0 ? chosen : ENGINE_NAMES)
        if ((await addEngine(name)).length > 0) added.push(name)
      const text =
        added.length > 0 ? `Added: ${added.join(', ')}. Restart Bellhop if it runs.` : 'Nothing was missing.'
      print(command, { json: { added }, text })
    })
}
