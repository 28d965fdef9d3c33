import { type BodyReader, createBodyReader } from '../../src/http/body.ts'
import { type Head, HeadReader } from '../../src/http/head.ts'
import { Problem } from '../../src/problem.ts'
import type { Message, Reading } from './llhttp.ts'

/** What our own layer makes of the bytes, which come in these pieces: heads and bodies in turn, as a connection has them. */
export function readByOurs(pieces: readonly Buffer[]): Reading {
  const messages: Message[] = []
  const heads = new HeadReader()
  let head: Head | undefined
  let body: BodyReader | undefined
  let content = ''
  let isLast = false

  function finish({ method, target, minor, rawHeaders }: Head): void {
    messages.push({ method, target, version: `1.${minor}`, rawHeaders, body: content })
    head = undefined
    content = ''
  }

  try {
    for (const piece of pieces) {
      let rest = piece
      while (rest.length > 0) {
        if (isLast && head === undefined) return { messages, isRefused: true }
        if (head === undefined) {
          const found = heads.read(rest)
          if (found === undefined) break
          rest = rest.subarray(found.end)
          head = found.head
          isLast = !head.keepsAlive
          if (head.length === 0) finish(head)
          else body = createBodyReader(head.length)
        } else if (body !== undefined) {
          const end = body.read(rest, (bytes) => {
            content += bytes.toString('latin1')
          })
          rest = rest.subarray(end)
          if (body.isDone) finish(head)
        }
      }
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { messages, isRefused: true }
  }
  return { messages, isRefused: false }
}
