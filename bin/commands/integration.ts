import { type Command, Option } from 'commander'

import { requireCompany } from '../../server/modules/company/index.ts'
import {
  addIntegration,
  deleteIntegration,
  IntegrationCreate,
  listIntegrations,
} from '../../server/modules/context/index.ts'
import { createVault } from '../../server/platform/crypto/crypto.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { requireSafeUrl } from '../../server/platform/net/safe-url.ts'
import { installationSecret } from '../../server/wiring/secret.ts'
import { parseIdArgument, runOperatorCommand, withMissingName } from '../operator-command.ts'
import { table } from '../table.ts'

interface AddOptions {
  company: string
  provider: string
  label?: string
  url?: string
  shop?: string
  accessToken?: string
  consumerKey?: string
  consumerSecret?: string
  appSecretToken?: string
  agreementGrantToken?: string
}

export function addIntegrationCommands(integration: Command): void {
  integration
    .command('add')
    .description('connect a system that knows the callers of a company; a signing secret is shown only once')
    .requiredOption('--company <id>', 'the company', parseIdArgument('com'))
    .addOption(
      new Option('--provider <name>', 'the kind of system')
        .choices(['custom', 'shopify', 'woocommerce', 'economic'])
        .makeOptionMandatory(),
    )
    .option('--label <text>', 'its name')
    .option('--url <address>', 'custom: the endpoint; woocommerce: the shop')
    .option('--shop <host>', 'shopify: the shop, as example.myshopify.com')
    .option('--access-token <token>', 'shopify: of the Admin API')
    .option('--consumer-key <key>', 'woocommerce')
    .option('--consumer-secret <secret>', 'woocommerce')
    .option('--app-secret-token <token>', 'economic')
    .option('--agreement-grant-token <token>', 'economic')
    .action(({ company, ...options }: AddOptions, command: Command) =>
      runOperatorCommand(command, async (tx, { config, log }) => {
        const input = IntegrationCreate.parse(inSnakeCase(options))
        await withMissingName('com', company, requireCompany(tx, company))
        const rules = { allowInsecure: config.webhooksAllowInsecure }
        if ('url' in input) await requireSafeUrl(input.url, rules)
        const vault = createVault(await installationSecret(config, log))
        const added = await addIntegration(tx, vault, company, input)
        const id = encodeId('int', added.id)
        const { label, signing_secret } = added
        const secret =
          signing_secret && `\nSave the signing secret now; it is not shown again: ${signing_secret}`
        return {
          json: { id, ...(signing_secret && { signing_secret }) },
          text: `Added ${label} (${id}).${secret ?? ''}`,
        }
      }),
    )

  integration
    .command('list')
    .description('list the systems of a company, and whether they respond')
    .requiredOption('--company <id>', 'the company', parseIdArgument('com'))
    .action(({ company }: { company: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('com', company, requireCompany(tx, company))
        const listed = await listIntegrations(tx, company)
        const integrations = listed.map(({ id, provider, label, active, last_error }) => ({
          id: encodeId('int', id),
          provider,
          label,
          active,
          last_error: last_error?.reason ?? null,
        }))
        const rows = integrations.map(({ id, provider, label, active, last_error }) => [
          id,
          provider,
          label,
          active ? (last_error ?? '') : 'paused',
        ])
        return { json: { integrations }, text: table(rows, 'The company has no integrations yet.') }
      }),
    )

  integration
    .command('remove')
    .description('disconnect a system, and delete its credentials')
    .requiredOption('--company <id>', 'the company', parseIdArgument('com'))
    .requiredOption('--integration <id>', 'the system', parseIdArgument('int'))
    .action(({ company, integration: uuid }: { company: string; integration: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('int', uuid, deleteIntegration(tx, company, uuid))
        const id = encodeId('int', uuid)
        return { json: { id, removed: true }, text: `Removed ${id}.` }
      }),
    )
}

/** As the API names them. */
function inSnakeCase(options: object): Record<string, unknown> {
  const renamed = Object.entries(options).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return Object.fromEntries(renamed) as Record<string, unknown>
}
