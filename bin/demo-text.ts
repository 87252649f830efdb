import type { Demo } from '../server/wiring/demo.ts'

/** `url` is the address of the service, if known. */
export const demoText = ({ company, email, password, apiKey }: Demo, url: string | undefined) => `
A demo company, ${company}, was created for you. This is shown only once:

  Sign in    ${email}
  Password   ${password}
  API key    ${apiKey}
${url ? curlText(apiKey, url) : ''}`

const curlText = (apiKey: string, url: string) => `
Try it:

  curl -H 'X-Api-Key: ${apiKey}' ${url}/api/v1/contacts

Call the shop, as a customer would:

  npx bellhop simulate call --from +4520304050 --to +4578900100 --say "Is my bicycle ready?"
`

export const demoJson = ({ email, password, apiKey }: Demo) => ({ email, password, api_key: apiKey })
