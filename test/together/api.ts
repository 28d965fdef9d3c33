import { runTogether } from '../support/together.ts'

runTogether('api', 1, 2)
