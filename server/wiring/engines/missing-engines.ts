import type { Config } from '../../config.ts'
import { arePackagesInstalled } from '../../platform/engine/package-folder.ts'
import { ENGINE_NAMES, type EngineName, enginePackages } from './packages.ts'

export const isEngineInstalled = (engine: EngineName): boolean =>
  arePackagesInstalled(enginePackages()[engine].map(({ name }) => name))

/** What the service lacks without an engine. */
export const WITHOUT: Record<EngineName, string> = {
  database: 'there is no embedded PostgreSQL',
  passwords: 'nobody can sign in with a password',
  search: 'calls are found by keywords only, not by meaning',
  speech: 'English is spoken with the simple voice of espeak-ng, and recordings are not transcribed',
}

/** The engines that this configuration uses, and that are not installed. */
export function missingEngines({ databaseUrl, embeddings }: Config): EngineName[] {
  const used: Record<EngineName, boolean> = {
    database: databaseUrl === undefined,
    passwords: true,
    search: embeddings.engine === 'embedded',
    // Whatever transcribes, prompts are spoken.
    speech: true,
  }
  return ENGINE_NAMES.filter((engine) => used[engine] && !isEngineInstalled(engine))
}
