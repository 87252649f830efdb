import { testOwnAndForeign } from '../harness/routes/own-and-foreign.ts'

testOwnAndForeign('main-numbers')
