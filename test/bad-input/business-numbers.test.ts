import { testBadInput } from '../harness/bad-input.ts'

testBadInput('business-numbers')
