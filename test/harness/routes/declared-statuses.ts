import { describeApi } from '../../../server/api/openapi.ts'
import { lazyAsync } from '../../../server/platform/async/lazy.ts'
import { declaredRoutes } from './routes.ts'

interface RequestLine {
  msg: string
  method: string
  route: string | null
  status: number | null
  aborted?: boolean
}

/** The statuses that the API document declares, by method and route. */
const declared = lazyAsync(async () => {
  const { paths } = (await describeApi(declaredRoutes(), { version: '0' })) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => {
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      return [name, new Set(Object.keys(responses))] as const
    }),
  )
  return new Map(operations)
})

/** The responses in the lines of a log with a status that the API document does not declare for their operation. */
export async function undeclaredStatuses(logged: string[]): Promise<string[]> {
  const responses = logged.filter((line) => line.includes('"route":"/api/v1/')).map(parse)
  if (responses.length === 0) return []
  const declaredBy = await declared()
  const undeclared = responses.flatMap(({ msg, method, route, status, aborted }) => {
    const statuses = declaredBy.get(`${method} ${route}`)
    const isTold = !statuses || statuses.has(String(status))
    return msg !== 'request' || aborted || isTold ? [] : [`${method} ${route} ${status}`]
  })
  return [...new Set(undeclared)]
}

const parse = (line: string) => JSON.parse(line) as RequestLine
