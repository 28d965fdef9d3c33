import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { type PackageName, tarballOf } from './packed.ts'

const NAMES: readonly PackageName[] = ['hydrant', 'hydrant-client', 'hydrant-mcp']

/** The ways to resolve an ES module. Our packages have no CommonJS, and no types for resolvers without `exports`. */
const RESOLVED_BY = ['node16-esm', 'bundler']

for (const name of NAMES) {
  test(`publint finds nothing in ${name}`, async () => {
    const tarball = new Uint8Array(readFileSync(await tarballOf(name))).buffer
    const { messages } = await publint({ pack: { tarball }, strict: true, level: 'suggestion' })
    assert.deepEqual(messages, [])
  })

  test(`the types of ${name} are right for every way to resolve an ES module`, async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(await tarballOf(name))))
    assert.ok(analysis.types, 'the package has types')
    const problems = analysis.problems.filter(
      (problem) => !('resolutionKind' in problem) || RESOLVED_BY.includes(problem.resolutionKind),
    )
    assert.deepEqual(problems, [])
  })
}
