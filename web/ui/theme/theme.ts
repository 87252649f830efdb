import { chosen, keepChoice } from './choice-cookie.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEPT_AS = 'theme'
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')

export function chosenTheme(): Theme {
  const kept = chosen(KEPT_AS)
  return THEMES.find((theme) => theme === kept) ?? 'system'
}

export function chooseTheme(theme: Theme): void {
  keepChoice(KEPT_AS, theme)
  show()
}

/** Applies the chosen theme, and follows the system if that is the choice. */
export function applyTheme(): void {
  show()
  systemIsDark.addEventListener('change', show)
}

function show(): void {
  const theme = chosenTheme()
  document.documentElement.dataset.theme =
    theme === 'system' ? (systemIsDark.matches ? 'dark' : 'light') : theme
}
