import type { ContactBy } from '@stoa/contracts';
import { RadioCards } from '../../ui/fields/radio-cards.tsx';

interface ContactChoiceProps {
  /** Undefined until the creator chooses: no address is shown without consent. */
  chosen: ContactBy | undefined;
  email: string;
  error: string | undefined;
  onChange: (chosen: ContactBy) => void;
}

/** Chooses what "Contact Me" does on the profile. */
export function ContactChoice({ email, ...props }: ContactChoiceProps) {
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
    <RadioCards
      {...props}
      legend="Contact Me"
      explanation="How mail of visitors reaches you when they choose “Contact Me” on your profile."
      name="contactBy"
      options={options}
    />
  );
}
