import type { ContactBy } from '@stoa/contracts';
import { useGroupError } from '../../ui/group-error.tsx';

interface ContactChoiceProps {
  /** Undefined until it is chosen for the first time: nothing shows an address unasked. */
  chosen: ContactBy | undefined;
  email: string;
  error: string | undefined;
  onChange: (chosen: ContactBy) => void;
}

/** What "Contact Me" does on the profile. */
export function ContactChoice({ chosen, email, error, onChange }: ContactChoiceProps) {
  const group = useGroupError(error);
  const options = [
    {
      value: 'email',
      label: 'Show my email address',
      hint: `It opens a mail to ${email}, for everybody to see.`,
    },
    {
      value: 'form',
      label: 'A form that relays mail and hides my address',
      hint: 'We pass on what visitors write. They see your address only when you answer them.',
    },
  ] as const;
  return (
    <fieldset {...group.props}>
      <legend className="mb-1 font-serif text-2xl font-semibold">Contact Me</legend>
      <p className="text-muted mb-4 text-sm">
        How mail of visitors reaches you when they choose “Contact Me” on your profile.
      </p>
      <div className="grid gap-3">
        {options.map(({ value, label, hint }) => (
          <label
            key={value}
            className="border-edge bg-surface rounded-card has-checked:border-accent has-checked:bg-accent-soft grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] gap-x-3 border p-4 outline-offset-2 outline-(--ring) has-focus-visible:outline-3"
          >
            <input
              type="radio"
              name="contactBy"
              value={value}
              checked={chosen === value}
              aria-describedby={`contact-by-${value}`}
              aria-label={label}
              onChange={() => onChange(value)}
              className="mt-1 size-4 accent-(--accent)"
            />
            <span className="font-semibold">{label}</span>
            <span id={`contact-by-${value}`} className="text-muted col-start-2 text-sm break-words">
              {hint}
            </span>
          </label>
        ))}
      </div>
      {group.message}
    </fieldset>
  );
}
