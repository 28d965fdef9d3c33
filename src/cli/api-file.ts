import type { Program } from '../api/index.ts'
import { SETTINGS } from '../config/index.ts'
import { readApiFile as read } from '../vocabulary/api-file.ts'
import type { Invocation } from './invocation.ts'

/** What an API file says, with the operations of the module that --with names; and that module (library.md). */
export async function readApiFile({ setting }: Invocation, file: string) {
  const path = setting(SETTINGS.with)
  const program: Program =
    path === undefined ? {} : await (await import('../service/program.ts')).importProgram(path)
  return { program, ...(await read(file, setting(SETTINGS.access), program.operations)) }
}
