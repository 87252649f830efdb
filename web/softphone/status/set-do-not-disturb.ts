import { useChange } from '../../api/change.ts'
import { doNotDisturbOf, setDoNotDisturb } from '../../api/employees.ts'
import { employeeTexts } from '../../i18n/employees.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Switches do not disturb of an employee, and names the numbers that nobody else would answer. */
export function useSetDoNotDisturb() {
  const t = useTexts(employeeTexts)
  const toast = useToast()
  return useChange(setDoNotDisturb, {
    touches: [['employees']],
    onDone: async ({ id, do_not_disturb }) => {
      if (!do_not_disturb) return
      const { at_risk_main_numbers: alone } = await doNotDisturbOf(id)
      if (alone.length > 0) toast({ tone: 'wrong', text: t.atRisk(alone.map(({ name }) => name).join(', ')) })
    },
  })
}
