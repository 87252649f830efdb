// The health check of the image: whether the process of this container is alive. It does not ask whether it is ready,
// because a process that waits for the database, or for its last calls, must not be replaced.
import { readFileSync } from 'node:fs'
// Not `fetch`, which refuses some ports.
import { get } from 'node:http'

const { HOST, PORT, EDGE_HTTP_PORT, WORKER_HTTP_PORT } = process.env
const PORTS = {
  serve: PORT || 3000,
  api: PORT || 3000,
  edge: EDGE_HTTP_PORT || 3001,
  worker: WORKER_HTTP_PORT || 3002,
}
// The role is an argument of the first process, be it Bellhop or an init that has started it.
const words = process.argv[2] ? [process.argv[2]] : readFileSync('/proc/1/cmdline', 'utf8').split('\0')
const role = words.find((word) => word in PORTS) ?? 'serve'
const host = !HOST || HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST

function end(message, code) {
  console.log(`${role}: ${message}`)
  process.exit(code)
}

get({ host, port: PORTS[role], path: '/healthz' }, ({ statusCode }) =>
  end(statusCode, statusCode === 200 ? 0 : 1),
).on('error', ({ message }) => end(message, 1))
