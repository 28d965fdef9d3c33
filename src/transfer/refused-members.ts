import { refusal } from '../api/write.ts'
import { type HttpError, invalid } from '../errors.ts'
import { isObject, readJson } from '../json.ts'
import type { Link } from '../store/store.ts'
import { hasCollection, type Model } from '../vocabulary/model.ts'
import { pathTo } from '../vocabulary/names.ts'
import type { Addresses } from './addresses.ts'

/** Members of the data that were refused: what links to one of them is refused for that, and should say so. */
export interface RefusedMembers {
  add(className: string, id: string, line: number): void
  /** A text that could not be read as a member, but may say which one it was to be. */
  addText(text: string, line: number): void
  /** Why a member with these links is refused. `lineOf`: of members that are about to be refused. */
  errorFor(dangling: readonly Link[], lineOf?: (link: Link) => number | undefined): HttpError
}

/** So many are remembered: a file in which everything is wrong may have any number. */
const MOST_REMEMBERED = 10_000

export function createRefusedMembers(model: Model, addresses: Addresses): RefusedMembers {
  const lines = new Map<string, number>()
  const collections = new Map(
    model.classes.filter(hasCollection).map(({ name, collection }) => [name, collection]),
  )
  const keyOf = (className: string, id: string) => `${className} ${id}`

  function add(className: string, id: string, line: number): void {
    if (lines.size < MOST_REMEMBERED) lines.set(keyOf(className, id), line)
  }

  return {
    add,
    addText(text, line) {
      if (lines.size >= MOST_REMEMBERED) return
      const place = placeIn(text, addresses)
      if (place?.id !== undefined) add(place.cls.name, place.id, line)
    },
    errorFor: (dangling, lineOf = () => undefined) =>
      invalid(
        dangling.flatMap((link) => {
          const { property, className, id } = link
          const line = lines.get(keyOf(className, id)) ?? lineOf(link)
          if (line === undefined)
            return refusal({ outcome: 'refused', dangling: [link], taken: [] }).violations
          const message = `links to ${pathTo(collections.get(className) ?? className)}/${id}, which was refused (line ${line}).`
          return [{ propertyPath: property, message }]
        }),
      ),
  }
}

/** As far as it can be told without understanding the rest. */
function placeIn(text: string, { placeOf }: Addresses): ReturnType<Addresses['placeOf']> | undefined {
  try {
    const sent = readJson(text)
    return isObject(sent) ? placeOf(sent['@type'], sent['@id']) : undefined
  } catch {
    return undefined
  }
}
