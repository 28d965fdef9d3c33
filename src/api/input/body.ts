import { badRequest, HttpError } from '../../errors.ts'
import { LD_JSON, type Request } from '../../http/index.ts'
import { isObject, type JsonObject, type JsonValue, readJson } from '../../json.ts'

const PATCH_TYPE = 'application/merge-patch+json'

/** 415 for a body that is not JSON; known before anything else of the request is looked at. */
export const requireJson = (request: Request): void =>
  requireMediaType(request, [LD_JSON, 'application/json'], [])

/** 415 for what is not a merge patch (RFC 7396); RFC 5789 §2.2 says what is. */
export const requirePatch = (request: Request): void =>
  requireMediaType(request, [PATCH_TYPE], ['Accept-Patch', PATCH_TYPE])

function requireMediaType(
  { headers }: Request,
  types: readonly string[],
  errorHeaders: readonly string[],
): void {
  const sent = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (sent === undefined || !types.includes(sent)) {
    const named =
      sent === undefined
        ? 'The body has no Content-Type'
        : `${JSON.stringify(sent.slice(0, 100))} is not understood here`
    throw new HttpError(415, `${named}; send ${types.join(' or ')}.`, { headers: errorHeaders })
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new HttpError(415, 'Compressed bodies are not understood; send it without Content-Encoding.')
  }
}

/** The body of a write as one JSON object, or an error that says what it is instead. */
export async function readBody(request: Request): Promise<JsonObject> {
  const value = parse(await request.readBody())
  // The expanded form of JSON-LD is a list of nodes.
  const [node = null] = Array.isArray(value) && value.length === 1 ? value : [value]
  if (isObject(node)) return node
  throw new HttpError(422, 'The body must be one JSON object, the member itself.')
}

export async function readPatch(request: Request): Promise<JsonObject> {
  const value = parse(await request.readBody())
  if (isObject(value)) return value
  throw new HttpError(422, 'The body must be one JSON object with the properties that are to change.')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(body: Buffer): JsonValue {
  let text: string
  try {
    text = utf8.decode(body)
  } catch {
    throw badRequest('The body is not UTF-8.')
  }
  return readJson(text)
}
