import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ended, temporaryFolder } from '../support/folders.ts'
import { run } from '../support/processes.ts'

/** `cert.pem` and `key.pem` for a host, signed by nobody but itself. */
export async function makeCertificate(folder: string, host = 'localhost'): Promise<{ cert: string }> {
  const made = await run(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${host}`,
      '-addext',
      `subjectAltName=DNS:${host}`,
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
    ],
    { cwd: folder },
  )
  assert.equal(made.status, 0, made.stderr)
  return { cert: await readFile(join(folder, 'cert.pem'), 'utf8') }
}

/** The settings of a server with such a certificate. */
export async function tlsFlags(t: Ended): Promise<{ tlsCert: string; tlsKey: string }> {
  const folder = temporaryFolder(t)
  await makeCertificate(folder)
  return { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') }
}
