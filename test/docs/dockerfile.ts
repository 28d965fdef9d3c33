import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/markdown.ts'

export interface Instruction {
  readonly name: string
  /** `--from=build`: `from` and `build`. */
  readonly options: ReadonlyMap<string, string>
  /** What follows the name and the options. */
  readonly text: string
}

/** The stages of the Dockerfile, each from its FROM on. As far as ours goes: no heredocs, no other escapes. */
export function readStages(): Instruction[][] {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
  const stages: Instruction[][] = []
  for (const line of lines) {
    const instruction = readInstruction(line)
    if (instruction.name === 'FROM') stages.push([])
    stages.at(-1)?.push(instruction)
  }
  return stages
}

function readInstruction(line: string): Instruction {
  const [, name, flags = '', text = ''] = /^([A-Z]+) ((?:--\S+ +)*)(.*)$/.exec(line) ?? []
  if (name === undefined) throw new Error(`No instruction: ${line}`)
  const options = flags
    .split(/ +/)
    .filter((flag) => flag !== '')
    .map((flag) => flag.slice(2).split('=') as [string, string])
  return { name, options: new Map(options), text }
}

export const only = (stage: readonly Instruction[], name: string): Instruction => {
  const [found, ...others] = stage.filter((one) => one.name === name)
  if (found === undefined || others.length > 0) throw new Error(`${name} should be there once.`)
  return found
}

/** Without a shell: a list of words. */
export const execForm = (text: string): string[] => JSON.parse(text)

export interface Copied {
  /** The stage that it comes from; undefined for this folder. */
  readonly from: string | undefined
  readonly sources: readonly string[]
  readonly target: string
}

export function copiesOf(stage: readonly Instruction[]): Copied[] {
  return stage
    .filter(({ name }) => name === 'COPY')
    .map(({ options, text }) => {
      const words = text.split(' ')
      return { from: options.get('from'), sources: words.slice(0, -1), target: words.at(-1) as string }
    })
}

export const environmentOf = (stage: readonly Instruction[]): Record<string, string> =>
  Object.fromEntries(
    stage
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ text }) => text.split(/\s+/).map((pair) => pair.split('=') as [string, string])),
  )
