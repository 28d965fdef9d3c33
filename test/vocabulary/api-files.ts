import assert from 'node:assert/strict'
import { sayNote, sayProblem } from '../../src/service/problems/index.ts'
import type { Class, Model, Property } from '../../src/vocabulary/model.ts'
import { readShortForm } from '../../src/vocabulary/short-form/short-form.ts'

/** The model of a file in the short form that has no problem. */
export function modelOf(text: string): Model {
  const result = readShortForm(text, 'folder/api.yaml')
  return 'model' in result ? result.model : assert.fail(result.problems.map(sayProblem).join('\n'))
}

/** What was completed in it. */
export function notesOf(text: string): readonly string[] {
  const result = readShortForm(text, 'folder/api.yaml')
  return 'model' in result ? result.notes.map(sayNote) : assert.fail(JSON.stringify(result.problems))
}

/** What is wrong with a file, each problem behind its line and column. */
export function problemsOf(text: string): string[] {
  const result = readShortForm(text, 'api.yaml')
  assert.ok('problems' in result, 'accepted')
  return result.problems.map((one) => `${one.at.line}:${one.at.column}: ${sayProblem(one)}`)
}

/** An API file with one class and these properties, one a line from line 4 on. */
export const withProperties = (...lines: string[]) =>
  `classes:\n  Book:\n    properties:\n${lines.map((line) => `      ${line}\n`).join('')}`

export const classIn = (model: Model, name: string): Class =>
  model.classes.find((cls) => cls.name === name) ?? assert.fail(`There is no class ${name}`)

export const propertyIn = (cls: Class, name: string): Property =>
  cls.properties.find((property) => property.name === name) ?? assert.fail(`There is no property ${name}`)
