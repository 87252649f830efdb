/** The limits of a company’s details. */
export const COMPANY_LIMITS = {
  /** Its name. */
  nameCharacters: 255,
  /** Each line of its address, and its VAT number. */
  addressCharacters: 255,
  /** What may be sent as its country, before that is checked to be one. */
  countryCharacters: 64,
}
