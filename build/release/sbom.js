const ENGINE = 'added by `bellhop engines add`'
const INSTALLED = 'installed by npm'
const BUNDLED = 'bundled'

const byName = (a, b) => (a < b ? -1 : 1)

/**
 * The bill of materials of the package, in CycloneDX: what npm installs with it, what is bundled into it, and what
 * `bellhop engines add` fetches. npm knows the first; the other two are development packages to it.
 *
 * @param all every package of package-lock.json, as `npm sbom` lists them
 * @param installed those that npm installs with Bellhop, in the same form
 * @param bundled `name@version` of each package whose code is in the bundle
 * @param engines the same of the packages of engines
 */
export function billOfMaterials({ all, installed, bundled, engines, version }) {
  const scopes = new Map(installed.components.map((component) => [component['bom-ref'], component.scope]))
  // What is needed in two ways counts as the last of them.
  const packagings = new Map([
    ...engines.map((ref) => [ref, ENGINE]),
    ...[...scopes.keys()].map((ref) => [ref, INSTALLED]),
    ...bundled.map((ref) => [ref, BUNDLED]),
  ])
  const known = new Set(all.components.map((component) => component['bom-ref']))
  const missing = [...packagings.keys()].filter((ref) => !known.has(ref))
  if (missing.length > 0) throw new Error(`package-lock.json does not have ${missing.join(', ')}.`)
  const scopeOf = {
    [ENGINE]: () => 'optional',
    [INSTALLED]: (ref) => scopes.get(ref),
    [BUNDLED]: () => 'required',
  }
  const components = all.components.filter((component) => packagings.has(component['bom-ref']))
  for (const component of components) {
    const ref = component['bom-ref']
    const packaging = packagings.get(ref)
    component.scope = scopeOf[packaging](ref)
    component.properties = [{ name: 'bellhop:packaging', value: packaging }]
  }
  const own = `bellhop@${version}`
  const dependencies = all.dependencies
    .filter(({ ref }) => packagings.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => packagings.has(one)) }))
  const below = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))
  const direct = [...packagings.keys()].filter((ref) => !below.has(ref)).toSorted(byName)
  return {
    ...all,
    metadata: {
      ...all.metadata,
      lifecycles: [{ phase: 'build' }],
      component: {
        ...all.metadata.component,
        type: 'application',
        name: 'bellhop',
        version,
        'bom-ref': own,
        purl: `pkg:npm/bellhop@${version}`,
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: direct }, ...dependencies],
  }
}

/** `name@version` of the packages that a file of licences of the build names. */
export const packagesIn = (licences) =>
  [...licences.matchAll(/^== (\S+) (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`)
