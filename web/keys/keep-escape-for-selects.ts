/**
 * Escape closes the list of a select, where that is part of the page, and not the dialog or editor around it. Their
 * listeners do not see the key; were the event prevented instead, the list would stay open.
 */
export function keepEscapeForSelects(): void {
  if (CSS.supports('selector(select:open)')) window.addEventListener('keydown', keepEscape, { capture: true })
}

function keepEscape(event: KeyboardEvent): void {
  if (event.key === 'Escape' && document.querySelector('select:open')) event.stopImmediatePropagation()
}
