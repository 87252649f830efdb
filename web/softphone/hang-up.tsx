import { PhoneOff } from 'lucide-react'

import { Button } from '../ui/button.tsx'

/** Red, as on every phone. */
export const HangUp = ({ label, onClick }: { label: string; onClick(): void }) => (
  <Button className="border-transparent! bg-wrong! text-surface! hover:opacity-90" onClick={onClick}>
    <PhoneOff size={16} />
    {label}
  </Button>
)
