import { useQuery } from '@tanstack/react-query'

import { isFieldError, useChange } from '../../api/change.ts'
import { type Company, companyQuery, updateCompany } from '../../api/company.ts'
import { useTexts } from '../../i18n/language.tsx'
import { companyTexts } from '../../i18n/settings.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { MissingPage } from '../../shell/page-loading.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { SwitchField, TextField } from '../../ui/field.tsx'
import { Form, useInput } from '../../ui/form.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'

export default function CompanyPage() {
  const company = useQuery(companyQuery())
  return (
    <Loaded query={company} missing={<MissingPage />}>
      {(company) => <CompanyDetails company={company} />}
    </Loaded>
  )
}

function CompanyDetails({ company }: { company: Company }) {
  const t = useTexts(companyTexts)
  const common = useTexts(shellTexts)
  const { input, bind, stored } = useInput({
    address: company.address ?? '',
    zip: company.zip ?? '',
    city: company.city ?? '',
    state: company.state ?? '',
    country: company.country,
    vat_id: company.vat_id ?? '',
  })
  const save = useChange((sent: typeof input) => updateCompany(sent), {
    touches: [['company']],
    said: common.saved,
    onDone: (_, sent: typeof input) => stored(sent),
    quietAbout: isFieldError,
  })
  const require = useChange(updateCompany, { touches: [['company']], said: common.saved })
  return (
    <Page title={company.name}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card className="p-5">
          <h2 className="mb-3 text-lg font-semibold">{t.details}</h2>
          <Form onSubmit={() => save.mutate(input)}>
            <TextField label={t.address} autoComplete="street-address" {...bind('address', save.error)} />
            <div className="grid gap-x-3 sm:grid-cols-[1fr_2fr]">
              <TextField label={t.zip} autoComplete="postal-code" {...bind('zip', save.error)} />
              <TextField label={t.city} {...bind('city', save.error)} />
            </div>
            <div className="grid gap-x-3 sm:grid-cols-[2fr_1fr]">
              <TextField label={t.state} {...bind('state', save.error)} />
              <TextField
                label={t.country}
                hint={t.countryHint}
                required
                maxLength={2}
                {...bind('country', save.error)}
              />
            </div>
            <TextField label={t.vat} {...bind('vat_id', save.error)} />
            <Button type="submit" look="main" disabled={save.isPending}>
              {common.save}
            </Button>
          </Form>
        </Card>
        <div className="flex flex-col gap-4">
          <Card className="px-5 pt-5 pb-1">
            <h2 className="mb-3 text-lg font-semibold">{t.signIn}</h2>
            <SwitchField
              label={t.twoFactor}
              hint={t.twoFactorHint}
              checked={company.requires_two_factor}
              disabled={require.isPending}
              onChange={(requires_two_factor) => require.mutate({ requires_two_factor })}
            />
          </Card>
          <Card className="p-5">
            <h2 className="mb-1 text-lg font-semibold">{t.yours}</h2>
            <p className="mb-3 text-soft">{t.yoursHint}</p>
            <div className="flex flex-wrap gap-2">
              <a className={buttonClass()} href="/account/phones">
                {common.phones}
              </a>
              <a className={buttonClass()} href="/account/two-factor">
                {common.security}
              </a>
              <a className={buttonClass()} href="/account/api-keys">
                {common.apiKeys}
              </a>
              <a className={buttonClass()} href="/account/connected-apps">
                {common.connectedApps}
              </a>
            </div>
          </Card>
        </div>
      </div>
    </Page>
  )
}
