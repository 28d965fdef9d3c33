import {
  type HistoryEntry,
  type MemberContent,
  requestBodyOf,
  type StoredMember,
  type WholeText,
} from '../../members/index.ts'
import type { Relation } from '../access/ties.ts'
import type { ClassDependencies, Write } from '../types.ts'

/**
 * The content of an entry in place of the current one, or of the last one if the member is gone. Properties that the
 * user may not see, or may see but not write, keep their current or last values (history.md, On the wire).
 */
export function restoredContent(
  { cls, input, inputFor, base, access, now }: ClassDependencies,
  { principal }: Pick<Write, 'principal'>,
  seen: { readonly entry: HistoryEntry; readonly relation: Relation },
  { kept, relation }: { readonly kept: StoredMember & WholeText; readonly relation: Relation },
): MemberContent {
  const values = requestBodyOf(seen.entry, base)
  for (const { name, always } of cls.properties) if (always !== undefined) delete values[name]
  const options = { kind: 'restored', writer: principal } as const
  if (access.views === undefined) return input.replace(values, kept, now(), options)
  const { hidden, readOnly } = access.views.of(relation)
  const present = requestBodyOf(kept, base)
  for (const name of [...readOnly, ...access.views.of(seen.relation).hidden]) {
    delete values[name]
    if (present[name] !== undefined) values[name] = present[name]
  }
  // The input of this user adds what is hidden, and no violation names it.
  for (const name of hidden) delete values[name]
  return inputFor(relation).replace(values, kept, now(), options)
}
