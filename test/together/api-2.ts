import { runTogether } from '../support/together.ts'

runTogether('api', 2, 2)
