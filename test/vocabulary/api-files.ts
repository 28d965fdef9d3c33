import assert from 'node:assert/strict'
import type { ProblemData } from '../../src/problem.ts'
import type { ApiFileProblems, Class, Model, Property } from '../../src/vocabulary/index.ts'
import { readShortForm } from '../../src/vocabulary/short-form/short-form.ts'
import { inShort } from '../support/problems.ts'

/** The model of a file in the short form that has no problem. */
export function modelOf(text: string): Model {
  const result = readShortForm(text, 'folder/api.yaml')
  return 'model' in result ? result.model : assert.fail(result.problems.map(inShort).join('\n'))
}

/** What was completed in it. */
export function notesOf(text: string): readonly string[] {
  const result = readShortForm(text, 'folder/api.yaml')
  return 'model' in result ? result.notes.map(inShort) : assert.fail(JSON.stringify(result.problems))
}

/** What is wrong with a file. */
export function findProblems(text: string): readonly ProblemData[] {
  const result = readShortForm(text, 'api.yaml')
  assert.ok('problems' in result, 'accepted')
  return result.problems
}

/** The same, each in short. */
export const problemsOf = (text: string): string[] => findProblems(text).map(inShort)

/** The keys that are possible where the first problem is an unknown key. */
export function knownKeys(text: string): readonly string[] {
  const [problem] = findProblems(text)
  assert.equal(problem?.code, 'UnknownKey')
  return (problem.values as ApiFileProblems['UnknownKey']).known
}

/** An API file with one class and these properties, one a line from line 4 on. */
export const withProperties = (...lines: string[]) =>
  `classes:\n  Book:\n    properties:\n${lines.map((line) => `      ${line}\n`).join('')}`

export const classIn = (model: Model, name: string): Class =>
  model.classes.find((cls) => cls.name === name) ?? assert.fail(`There is no class ${name}`)

export const propertyIn = (cls: Class, name: string): Property =>
  cls.properties.find((property) => property.name === name) ?? assert.fail(`There is no property ${name}`)
