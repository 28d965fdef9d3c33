import { invalid } from '../errors.ts'
import type { Added, NewMember } from '../store/store.ts'
import type { WriteMethod } from '../vocabulary/model.ts'
import { pathTo } from '../vocabulary/names.ts'
import { readBody, requireJson } from './input/body.ts'
import { prepareAnswer, refusal, type WriteParts } from './member-answer.ts'
import { newId } from './new-id.ts'
import type { Handler } from './resource.ts'

/** The methods that add a member to a collection, as far as the API file declares any. */
export function createHandlers(parts: WriteParts): Partial<Record<WriteMethod, Handler>> {
  const { cls, base, store, input } = parts
  if (!cls.operations.has('create')) return {}
  const address = base + pathTo(cls.collection ?? cls.name)

  const create: Handler = async ({ request }) => {
    const answer = prepareAnswer(request, parts)
    requireJson(request)
    const member = input.create(await input.plain(await readBody(request), address), newId(), parts.now())
    const version = versionOf(await store.add(cls.name, member), member)
    return answer.created({ ...member, version })
  }
  return Object.fromEntries(cls.methods.create.map((method) => [method, create]))
}

/** The version of what was added; 422 for what the store alone can see is wrong. */
export function versionOf(added: Added, { id }: NewMember): number {
  if (added.outcome === 'added') return added.version
  if (added.outcome === 'refused') throw refusal(added)
  throw invalid([{ propertyPath: '@id', message: `${id} exists already.` }])
}
