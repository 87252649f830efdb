/** The phone in the browser: on every page, loaded after it. */
export default function Softphone() {
  return null
}
