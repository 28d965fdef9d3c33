import { runQuick } from '../support/together.ts'

runQuick(['api'], 1, 2)
