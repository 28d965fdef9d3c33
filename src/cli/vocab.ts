import { defaultBase, SETTINGS } from '../config/index.ts'
import { createDocumentation, readApiFile } from '../vocabulary/index.ts'
import type { Invocation } from './invocation.ts'

/** `hydrant vocab <api-file>`: the documentation that would be served. */
export async function printVocabulary({ setting, console }: Invocation, file: string): Promise<void> {
  const base = setting(SETTINGS.baseUrl)?.base ?? defaultBase(8080, 'http')
  // Without authentication, and without tokens in it, there is no session to describe.
  const session = Boolean(setting(SETTINGS.auth) && setting(SETTINGS.token))
  const documentation = createDocumentation(await readApiFile(file), base, { session })
  console.log(JSON.stringify(documentation, undefined, 2))
}
