// Addresses of databases that are given as data.
import { basename, extname } from 'node:path'
import { readDatabase } from '../config/index.ts'
import { isPostgres, postgresAddress, sqlitePath } from '../database/index.ts'
import { Problem, problemAt } from '../problem.ts'
import { percentDecoded } from '../text.ts'

/** Whether data is the address of a database, and not the name of a file. */
export const isDatabaseAddress = (data: string): boolean => /^(?:sqlite|postgres(?:ql)?):/i.test(data)

/** The address of a database to read from. Errors do not repeat it, since it may contain a password. */
export function readAddress(data: string, origin: string): string {
  try {
    return readDatabase(data)
  } catch (error) {
    throw error instanceof Problem ? problemAt(error, { source: origin }) : error
  }
}

/** The short name of a database, for people. */
export function databaseTitle(url: string): string {
  if (!isPostgres(url)) return basename(sqlitePath(url), extname(url))
  const name = postgresAddress(url)?.database ?? ''
  return percentDecoded(name) ?? name
}
