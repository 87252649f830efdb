import type { CampaignState } from '../campaign-state.ts'
import type { SeededEmployee } from '../environment/seed-company.ts'
import type { Invariant } from './invariant.ts'

/** Nobody is on a call or ringing, and do not disturb is shown correctly, at every API process. */
export const nobodyStuck: Invariant = {
  name: 'no employee is stuck in a wrong status',
  check: (world) =>
    compare(world, ({ name, status }, truth) => {
      const isStuck = status === 'on_call' || status === 'ringing' || status === 'unknown'
      const isShown = (status === 'do_not_disturb') === (truth === 'do_not_disturb')
      return isStuck || !isShown ? `${name} is ${status}` : undefined
    }),
}

/** Employees whose phone is registered are available, the others logged out, and that was published. */
export const presenceTrue: Invariant = {
  name: 'presence equals the truth',
  async check(world) {
    const shown = await compare(world, ({ name, status }, truth) =>
      status === truth ? undefined : `${name} is ${status}, not ${truth}`,
    )
    const sql = world.stage.postgres.connect()
    try {
      const untold = await sql<{ name: string; told: string; is: string }[]>`
        select name, told, is_now as is from (
          select name, coalesce(told_status, 'logged_out') as told, employee_status(
            company_id, id, wants_no_calls(do_not_disturb_activated_at, do_not_disturb_expires_at), invitation_pending
          ) as is_now from employees
        ) e where told <> is_now`
      const sentences = untold.map(({ name, told, is }) => `${name} is ${is}, but others were told ${told}`)
      return { checked: shown.checked, broken: [...shown.broken, ...sentences] }
    } finally {
      await sql.end()
    }
  },
}

interface Shown {
  id: string
  name: string
  status: string
}

async function compare(world: CampaignState, judge: (shown: Shown, truth: string) => string | undefined) {
  const { stage, api } = world
  const broken: string[] = []
  let checked = 0
  for (const role of stage.rolesOf('api')) {
    const outcome = await api.ask(stage.company.absent.key, 'GET', '/employees', undefined, role)
    if (outcome.is === 'unknown') {
      broken.push(`${role.name} does not say: ${outcome.why}`)
      continue
    }
    for (const shown of outcome.body.employees as Shown[]) {
      const said = judge(shown, truthOf(world, shown))
      if (said) broken.push(`${said} (at ${role.name})`)
      checked++
    }
  }
  return { checked, broken }
}

function truthOf({ stage: { company }, phones, books }: CampaignState, { id }: Shown): string {
  const isShy = id === company.shy.id && books.doNotDisturb.enabled
  if (isShy) return 'do_not_disturb'
  const everybody: SeededEmployee[] = [...company.desks, ...company.coworkers, company.shy]
  const employee = everybody.find((one) => one.id === id)
  const until = employee && phones.of(employee).registeredUntil()
  return until !== undefined && until > Date.now() ? 'available' : 'logged_out'
}
