import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'

import { afterFile } from '../after-file.ts'
import { builtProgram, type Ended, type Environment } from './bellhop-process.ts'

export interface CommandHost {
  /** Runs a command to its end. Of our environment it gets only PATH. */
  run(args: string[], env: Environment): Promise<Ended>
}

/**
 * Runs many commands of the built program in one process, which loads it once: most of the CPU time of a command is
 * its start. What only a process of its own shows, such as that it ends by itself, is for `bellhop` to test.
 */
export function startCommandHost(cwd: string): CommandHost {
  const dist = dirname(dirname(builtProgram()))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'command-host.js'), dist], {
    cwd,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('close', () => reject(new Error('the commands ended their process')))
  })
  ended.catch(() => {})
  afterFile(() => child.kill('SIGKILL'))
  const stdout = partsOf(child.stdout!)
  const stderr = partsOf(child.stderr!)
  const codes = codesOf(child)
  return {
    async run(args, env) {
      child.send({ args, env: { PATH: process.env.PATH, ...env } })
      const parts = Promise.all([codes(), stdout(), stderr()])
      const [code, out, err] = await Promise.race([parts, ended])
      return { code, stdout: out, stderr: err }
    },
  }
}

/** Gives each value to the next who asked, in order. */
function inOrder<T>(): { give(value: T): void; next(): Promise<T> } {
  const asked: ((value: T) => void)[] = []
  return {
    give: (value) => asked.shift()!(value),
    next: () => new Promise((resolve) => asked.push(resolve)),
  }
}

function codesOf(child: ChildProcess): () => Promise<number> {
  const codes = inOrder<number>()
  child.on('message', (code) => codes.give(code as number))
  return codes.next
}

/** What is printed by each command in turn. */
function partsOf(stream: NodeJS.ReadableStream): () => Promise<string> {
  const parts = inOrder<string>()
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const [first = '', ...more] = chunk.split('\0')
    text += first
    for (const next of more) {
      parts.give(text)
      text = next
    }
  })
  return parts.next
}
