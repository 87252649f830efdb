import { describe, expect, test } from 'vitest'

import { decodeId, encodeId } from './ids.ts'

// The valid cases of the TypeID specification.
describe.each([
  ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
  ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
  ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
  ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
  ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['0110c853-1d09-52d8-d73e-1194e95b5f19', '0123456789abcdefghjkmnpqrs'],
  ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
])('uuid %s', (uuid, digits) => {
  test('is encoded as the TypeID specification says', () => {
    expect(encodeId('con', uuid)).toBe(`con_${digits}`)
  })

  test('is decoded again', () => {
    expect(decodeId('con', `con_${digits}`)).toBe(uuid)
  })
})

test.each([
  ['another prefix', 'emp_01h455vb4pex5vsknk084sn02q'],
  ['no prefix', '01h455vb4pex5vsknk084sn02q'],
  ['more than 128 bits', 'con_8zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['upper case', 'con_01H455VB4PEX5VSKNK084SN02Q'],
  ['a letter that is not in the alphabet', 'con_01h455vb4pex5vsknk084sn02u'],
  ['too few digits', 'con_01h455vb4pex5vsknk084sn02'],
  ['too many digits', 'con_01h455vb4pex5vsknk084sn02q0'],
  ['a line break at the end', 'con_01h455vb4pex5vsknk084sn02q\n'],
  ['the uuid itself', '01890a5d-ac96-774b-bcce-b302099a8057'],
  ['nothing', ''],
])('%s is not an id of a contact', (_, text) => {
  expect(decodeId('con', text)).toBeUndefined()
})
