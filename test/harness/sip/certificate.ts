import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterFile } from '../after-file.ts'

/** A key and a self-signed certificate for localhost. */
export async function selfSigned(): Promise<{ key: string; cert: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-certificate-'))
  try {
    const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
    const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:127.0.0.2,IP:::1'
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const about = ['-days', '2', '-subj', '/CN=localhost', '-addext', names, '-keyout', key, '-out', cert]
    await promisify(execFile)('openssl', [...request, ...about])
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** For a test file whose edges accept TLS: the settings, and what phones need. */
export async function certificateFiles() {
  const { key, cert } = await selfSigned()
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-tls-'))
  afterFile(() => rm(dir, { recursive: true }))
  const [SIP_TLS_CERT, SIP_TLS_KEY] = [join(dir, 'cert.pem'), join(dir, 'key.pem')]
  await Promise.all([writeFile(SIP_TLS_CERT, cert), writeFile(SIP_TLS_KEY, key)])
  return { environment: { SIP_TLS_PORT: '0', SIP_TLS_CERT, SIP_TLS_KEY }, tls: { key, cert, ca: cert } }
}
