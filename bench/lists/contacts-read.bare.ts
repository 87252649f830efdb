/** The reference of contacts-read: Fastify and one SELECT, nothing else. */
import Fastify from 'fastify'

import { connect } from '../../server/platform/db/database.ts'
import type { BareOptions } from '../fixture.ts'

const { address, poolSize, companyId } = JSON.parse(process.argv[2]!) as BareOptions
const sql = connect(address, { max: poolSize })
const app = Fastify({ forceCloseConnections: true })

app.get<{ Params: { id: string } }>('/contacts/:id', async ({ params }, reply) => {
  const [contact] = await sql`
    select id, name, email, phone, phone_formatted, company_name, note, created_at, updated_at
    from contacts where company_id = ${companyId} and id = ${params.id}`
  return contact ?? reply.code(404).send()
})

process.on('SIGTERM', () => void app.close().then(() => sql.end()))
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
