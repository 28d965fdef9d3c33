import { isObject, type JsonObject, type JsonValue } from '../../json.ts'

/**
 * RFC 7396 §2, except that what is removed stays behind as null: to JSON-LD that is no value either, and whoever reads
 * it can tell a property that is to be removed from one that was not mentioned.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null), target)
  for (const [name, value] of Object.entries(patch)) {
    const former: JsonValue = merged[name] ?? null
    merged[name] = isObject(value) && isObject(former) ? mergePatch(former, value) : value
  }
  return merged
}
