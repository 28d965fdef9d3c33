import type { Program } from '../api/index.ts'
import { SETTINGS } from '../config/index.ts'
import { readApiFile as read } from '../vocabulary/api-file.ts'
import { withAccounts } from '../vocabulary/index.ts'
import type { Invocation } from './invocation.ts'

/**
 * Reads an API file with the operations of the module that --with names; returns that module too (library.md). `served`: the
 * model with accounts, as a protected server has it and as databases know it.
 */
export async function readApiFile({ setting }: Invocation, file: string) {
  const path = setting(SETTINGS.with)
  const program: Program =
    path === undefined ? {} : await (await import('../service/program.ts')).importProgram(path)
  const found = await read(file, setting(SETTINGS.access), program.operations)
  return { program, ...found, served: withAccounts(found.model) }
}
