// What helm gives to the templates of a chart: node given.js CHART VALUES
import { readFileSync } from 'node:fs'

import { load } from 'js-yaml'

const [, , folder, file] = process.argv
const read = (path) => load(readFileSync(path, 'utf8'))
const { name } = read(`${folder}/Chart.yaml`)
const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const merged = (values, others) =>
  isMap(values) && isMap(others)
    ? {
        ...values,
        ...Object.fromEntries(
          Object.entries(others).map(([key, value]) => [key, merged(values[key], value)]),
        ),
      }
    : others

const given = {
  Values: merged(read(`${folder}/values.yaml`), read(file)),
  // Made up, so that a release changes no manifest.
  Chart: { Name: name, Version: '1.2.3', AppVersion: '1.2.3' },
  Release: { Name: 'phone', Service: 'Helm' },
}
process.stdout.write(JSON.stringify(given))
