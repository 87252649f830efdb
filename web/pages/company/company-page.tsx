import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

import { isFieldError, useChange } from '../../api/change.ts'
import { type Company, companyQuery, renameCompany, updateCompany } from '../../api/company.ts'
import { useLanguage, useTexts } from '../../i18n/language.tsx'
import { companyTexts } from '../../i18n/settings.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { useCountries } from '../../people/number-format.ts'
import { MissingPage } from '../../shell/page-loading.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { SelectField, SwitchField, TextField } from '../../ui/field.tsx'
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
    name: company.name,
    address: company.address ?? '',
    zip: company.zip ?? '',
    city: company.city ?? '',
    state: company.state ?? '',
    country: company.country,
    vat_id: company.vat_id ?? '',
  })
  const change = async ({ name, ...sent }: typeof input) => {
    if (name.trim() !== company.name) await renameCompany(name)
    return updateCompany(sent)
  }
  const save = useChange(change, {
    touches: [['company'], ['session']],
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
          <Form onSubmit={() => save.mutate(input)} error={save.error}>
            <TextField label={t.name} required autoComplete="organization" {...bind('name', save.error)} />
            <TextField label={t.address} autoComplete="street-address" {...bind('address', save.error)} />
            <div className="grid gap-x-3 sm:grid-cols-[1fr_2fr]">
              <TextField label={t.zip} autoComplete="postal-code" {...bind('zip', save.error)} />
              <TextField label={t.city} {...bind('city', save.error)} />
            </div>
            <div className="grid gap-x-3 sm:grid-cols-2">
              <TextField label={t.state} {...bind('state', save.error)} />
              <CountryField {...bind('country', save.error)} />
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
              <Link className={buttonClass()} to="/account/phones">
                {common.phones}
              </Link>
              <Link className={buttonClass()} to="/account/two-factor">
                {common.security}
              </Link>
              <Link className={buttonClass()} to="/account/api-keys">
                {common.apiKeys}
              </Link>
              <Link className={buttonClass()} to="/account/connected-apps">
                {common.connectedApps}
              </Link>
            </div>
          </Card>
        </div>
      </div>
    </Page>
  )
}

interface CountryFieldProps extends Pick<ComponentProps<'select'>, 'onChange'> {
  value: string
  error?: string
}

function CountryField(props: CountryFieldProps) {
  const t = useTexts(companyTexts)
  const { language } = useLanguage()
  const countries = useCountries() ?? [props.value]
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const options = countries
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
  return (
    <SelectField label={t.country} hint={t.countryHint} {...props}>
      {options.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
