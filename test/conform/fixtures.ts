import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConformFinding, checkApi, visitApi } from '../../src/conform/index.ts'

export const HOST = 'http://api.test'

interface RecordedAnswer {
  status?: number
  headers?: Record<string, string | null>
  body: unknown
}

/** The answers of an API, by path and query. */
export type RecordedApi = Record<string, RecordedAnswer>

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))

/** An API without any finding. */
export const goodApi = (): RecordedApi => read('good.json')

/** For each rule the changes of the good API that break it: by path, then by place in the answer; null removes. */
export const BROKEN: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> =
  read('broken.json')

/** The good API with the changes that break some rules. */
export function brokenApi(...codes: string[]): RecordedApi {
  const api = goodApi()
  for (const [path, changes] of codes.flatMap((code) => Object.entries(BROKEN[code] ?? {})))
    for (const [place, value] of Object.entries(changes)) change(api[path] as RecordedAnswer, place, value)
  return api
}

function change(answer: object, place: string, value: unknown): void {
  const keys = place.split(' ')
  const last = keys.pop() as string
  let target = answer as Record<string, unknown>
  for (const key of keys) target = target[key] as Record<string, unknown>
  if (value !== null) target[last] = value
  else if (Array.isArray(target)) target.splice(Number(last), 1)
  else delete target[last]
}

/** Of every answer, unless it has its own; an empty one is not sent. */
export const HEADERS = {
  'content-type': 'application/ld+json',
  link: `<${HOST}/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`,
}

/** What is found in a recorded API, without HTTP. */
export async function findingsIn(api: RecordedApi): Promise<ConformFinding[]> {
  const visited = await visitApi({
    address: `${HOST}/`,
    unknown: 'unknown',
    async send(url) {
      const {
        status = 200,
        headers = {},
        body,
      } = api[url.slice(HOST.length)] ?? { status: 404, body: 'nothing' }
      const sent = Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value !== '')
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return { url, status, headers: Object.fromEntries(sent) as Record<string, string>, body: text }
    },
  })
  return checkApi(visited)
}
