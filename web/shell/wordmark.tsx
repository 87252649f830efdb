/** A reception bell and the name. */
export const Wordmark = () => (
  <span className="inline-flex items-center gap-2 text-lg font-semibold tracking-tight">
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" className="fill-accent">
      <path d="M12 5a8 8 0 0 1 8 8v2H4v-2a8 8 0 0 1 8-8Zm-9.2 12h18.4c.4 0 .8.4.8.8v.4c0 .4-.4.8-.8.8H2.8a.8.8 0 0 1-.8-.8v-.4c0-.4.4-.8.8-.8ZM10.5 2.8h3v1.4h-3z" />
    </svg>
    Bellhop
  </span>
)
