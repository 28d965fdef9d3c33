import type { Program } from '../api/index.ts'
import { SETTINGS } from '../config/index.ts'
import { readApiFile as read } from '../vocabulary/api-file.ts'
import type { Invocation } from './invocation.ts'

/** Reads an API file with the operations of the module that --with names; returns that module too (library.md). */
export async function readApiFile({ setting }: Invocation, file: string) {
  const path = setting(SETTINGS.with)
  const program: Program =
    path === undefined ? {} : await (await import('../service/program.ts')).importProgram(path)
  return { program, ...(await read(file, setting(SETTINGS.access), program.operations)) }
}
