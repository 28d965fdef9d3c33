import { runOnPostgres } from '../support/together.ts'

runOnPostgres('library')
