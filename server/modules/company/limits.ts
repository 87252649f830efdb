/** The limits of a company’s details. */
export const COMPANY_LIMITS = {
  /** Its name. */
  nameCharacters: 255,
  /** Each line of its address, and its VAT number. */
  addressCharacters: 255,
  /** The text sent as its country, before it is validated. */
  countryCharacters: 64,
}
