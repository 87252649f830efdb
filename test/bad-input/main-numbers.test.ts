import { testBadInput } from '../harness/bad-input.ts'

testBadInput('main-numbers')
