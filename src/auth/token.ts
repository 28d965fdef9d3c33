import { hash, randomBytes } from 'node:crypto'

export const isTokenShaped = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** 32 bytes from the system's generator as 64 lower-case hex digits. */
export const issueToken = (): string => randomBytes(32).toString('hex')

/** The hash that is stored instead of the token. A token has 256 random bits: one fast hash without salt is enough. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')
