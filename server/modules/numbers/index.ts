export { addNumber, setRegistration } from './numbers.ts'
export { selectNumbers as listNumbers } from './queries.ts'
