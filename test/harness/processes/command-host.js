// Runs commands of the built program one after the other, in one process that has loaded it once. A command prints to
// the standard output and the standard error of this process, where a NUL follows what it printed; the message that
// answers it has its exit code.
import { writeSync } from 'node:fs'
import { join } from 'node:path'

const [dist] = process.argv.slice(2)
const { createLoader } = await import(join(dist, 'launch', 'loader.js'))
const { default: runCommand } = createLoader()(join(dist, 'bin', 'bellhop.cjs'))

class Exit extends Error {}

const STREAMS = [process.stdout, process.stderr]
const writes = STREAMS.map((stream) => stream.write.bind(stream))

/** What process.exit was called with; nothing after it may be printed. */
let exitCode

process.exit = (code = 0) => {
  exitCode ??= code
  for (const stream of STREAMS) stream.write = () => true
  throw new Exit()
}

async function run({ args, env }) {
  exitCode = undefined
  process.argv = [process.execPath, join(dist, 'bin', 'bellhop.js'), ...args]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  await runCommand().catch((error) => {
    if (!(error instanceof Exit)) throw error
  })
  const code = exitCode ?? process.exitCode ?? 0
  // The log writes its last lines when a process exits.
  process.emit('exit', code)
  process.removeAllListeners('exit')
  process.stdout.removeAllListeners('error')
  for (const [index, stream] of STREAMS.entries()) {
    stream.write = writes[index]
    writeSync(stream.fd, '\0')
  }
  return code
}

let last = Promise.resolve()
process.on('message', (command) => {
  last = last.then(async () => process.send(await run(command)))
})
