import type { Check } from '../check.ts'
import { type Finding, ok, problem, errorReason } from '../finding.ts'
import { DOCTOR_LIMITS } from '../limits.ts'

/** External services that transcribe, summarise and search by meaning answer, if they are configured. */
export const speechServices: Check = {
  name: 'speech-services',
  run: ({ config: { transcription, summary, embeddings } }) => {
    const endpoints = [
      transcription.endpoint && { setting: 'TRANSCRIPTION', ...transcription.endpoint },
      summary && { setting: 'SUMMARY', ...summary },
      embeddings.engine === 'openai' && { setting: 'EMBEDDINGS', ...embeddings, url: `${embeddings.url}/v1` },
    ]
    return Promise.all(endpoints.filter((endpoint) => !!endpoint).map(checkEndpoint))
  },
}

/** The list of models costs nothing, and needs the key. */
async function checkEndpoint(endpoint: {
  setting: string
  url: string
  apiKey: string | undefined
}): Promise<Finding> {
  const { setting, url, apiKey } = endpoint
  try {
    const { status } = await fetch(`${url}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(DOCTOR_LIMITS.requestMs),
    })
    if (status === 401 || status === 403)
      return problem(`${url} refuses the API key (${status}).`, `Correct ${setting}_API_KEY.`)
    if (status >= 500)
      return problem(`${url} answers with ${status}.`, `Check the service, or ${setting}_URL.`)
    return ok(`${url} answers (${setting}_URL).`)
  } catch (error) {
    return problem(
      `${url} cannot be reached (${errorReason(error)}).`,
      `Check the service, or correct ${setting}_URL.`,
    )
  }
}
