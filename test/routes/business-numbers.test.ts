import { testOwnAndForeign } from '../harness/own-and-foreign.ts'

testOwnAndForeign('business-numbers')
