import { badRequest, HttpError } from '../errors.ts'
import type { Request } from '../http/request.ts'
import { isObject, type JsonObject, readJson } from '../json.ts'
import { MEDIA_TYPES } from './serving.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body of a write as one JSON object, or an error that says what it is instead. */
export async function readBody(request: Request): Promise<JsonObject> {
  requireMediaType(request)
  const value = readJson(decode(await request.readBody()))
  if (!isObject(value)) throw new HttpError(422, 'The body must be one JSON object, the member itself.')
  return value
}

function requireMediaType({ headers }: Request): void {
  const sent = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (!(MEDIA_TYPES as readonly (string | undefined)[]).includes(sent)) {
    const named =
      sent === undefined
        ? 'The body has no Content-Type'
        : `${JSON.stringify(sent.slice(0, 100))} is not understood here`
    throw new HttpError(415, `${named}; send ${MEDIA_TYPES.join(' or ')}.`)
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new HttpError(415, 'Compressed bodies are not understood; send it without Content-Encoding.')
  }
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw badRequest('The body is not UTF-8.')
  }
}
