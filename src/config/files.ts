import { readFileSync } from 'node:fs'
import type { SecureContextOptions } from 'node:tls'
import { UsageError } from './values.ts'

export interface Tls {
  readonly cert: Buffer
  readonly key: Buffer
}

const SHORTEST_SECRET = 32

/** One secret, or two while rotating: the first seals, both are accepted. They are never repeated in a message. */
export function readSecrets(text: string): Buffer[] {
  const secrets = text.split(/\r?\n/).filter((line) => line !== '')
  if (secrets.length !== 1 && secrets.length !== 2) {
    throw new UsageError(
      `there are ${secrets.length} lines; give one secret on a line, or two while rotating, the new one first.`,
    )
  }
  if (secrets.some((secret) => secret.length < SHORTEST_SECRET)) {
    throw new UsageError(
      `a secret has at least ${SHORTEST_SECRET} characters; make one with "openssl rand -hex 32".`,
    )
  }
  return secrets.map((secret) => Buffer.from(secret))
}

export const readSecretFile = (path: string): Buffer[] => readSecrets(readNamed(path).toString('utf8'))

export function readCertificate(path: string): Buffer {
  const cert = readNamed(path)
  if (isUsable({ cert })) return cert
  throw new UsageError(`${path} is not a certificate in PEM form ("-----BEGIN CERTIFICATE-----" …).`)
}

export function readKey(path: string): Buffer {
  const key = readNamed(path)
  if (isUsable({ key })) return key
  throw new UsageError(`${path} is not a private key in PEM form, without a password of its own.`)
}

export const isPair = (tls: Tls): boolean => isUsable({ ...tls })

function isUsable(options: SecureContextOptions): boolean {
  try {
    // Not imported above: it takes longer to load than all of config/, and few have a certificate.
    process.getBuiltinModule('node:tls').createSecureContext(options)
    return true
  } catch {
    // OpenSSL's own words ("PEM routines::no start line") help nobody; the caller has better ones.
    return false
  }
}

function readNamed(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageError(`there is no file ${path}.`)
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder; name a file.`)
    throw new UsageError(`${path} cannot be read (${code}).`)
  }
}
