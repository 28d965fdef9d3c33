import { BATCH } from './batch.ts'
import { DESCRIBE } from './describe.ts'
import { ENTRY } from './entry.ts'
import { PERFORM } from './perform.ts'
import { READ } from './read.ts'
import { SEARCH } from './search.ts'
import type { AgentTool } from './tool.ts'

/** agents.md: a constant handful, whatever the size of the API. */
export const TOOLS: readonly AgentTool[] = [ENTRY, DESCRIBE, SEARCH, READ, PERFORM, BATCH]
