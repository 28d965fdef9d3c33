import type { JsonValue } from '../json.ts'
import { type Cut, LONGEST_MEMBER, type Problem } from './cutter.ts'
import { besideGraph, contextOf, elementOf } from './document-parts.ts'
import { walkDocument } from './document-walk.ts'

/** Twice through it: the context may come last. */
export function cutInMemory(document: Buffer): Cut[] {
  const found = survey(document)
  if ('problem' in found) return [found]
  if (found.shape === 'node') return [nodeOf(document)]
  const cuts: Cut[] = []
  let elements = 0
  walkDocument({
    list: () => 'cut',
    key(name, line) {
      if (name === '@graph') return 'cut'
      if (name !== '@context') cuts.push(besideGraph(name, line))
      return 'pass'
    },
    kept: () => 'go on',
    element(value) {
      elements++
      cuts.push(elementOf(value, elements, found.context))
    },
    broken: (line, problem) => cuts.push({ line, problem }),
  }).whole(document)
  return cuts
}

interface Survey {
  readonly context: JsonValue | undefined
  readonly shape: 'node' | 'members'
}

function survey(document: Buffer): Survey | Problem {
  let context: JsonValue | undefined
  let shape: Survey['shape'] = 'node'
  let problem: Problem | undefined
  walkDocument({
    list() {
      shape = 'members'
      return 'stop'
    },
    key(name) {
      if (name === '@graph') shape = 'members'
      return name === '@context' ? 'keep' : 'pass'
    },
    kept(value) {
      const read = contextOf(value)
      if ('context' in read) context = read.context
      else problem = read
      return 'go on'
    },
    element() {},
    broken(line, sentence) {
      problem ??= { line, problem: sentence }
    },
  }).whole(document)
  return problem ?? { context, shape }
}

function nodeOf(document: Buffer): Cut {
  const start = document.findIndex((byte) => byte > 0x20)
  const line = document.subarray(0, start).filter((byte) => byte === 0x0a).length + 1
  const bytes = document.subarray(start)
  return elementOf({ line, bytes: bytes.length > LONGEST_MEMBER ? undefined : bytes }, 1, undefined)
}
