#!/usr/bin/env node
import { readArguments } from './arguments.ts'
import { BridgeProblem, serveTools } from './index.ts'

const WRONG_USAGE = 2

try {
  await serveTools({ ...readArguments(process.argv.slice(2), process.env), environment: process.env })
} catch (error) {
  if (!(error instanceof BridgeProblem)) throw error
  process.stderr.write(`hydrant-mcp: ${error.message}\n`)
  process.exitCode = WRONG_USAGE
}
