import { runQuick } from '../support/together.ts'

runQuick(['api'], 0, 2)
