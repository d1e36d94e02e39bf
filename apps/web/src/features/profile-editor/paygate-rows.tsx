import { limits } from '@stoa/contracts/limits';
import { LinkRows, type LinkRowsProps } from './link-rows.tsx';

const words = {
  title: 'Payment Links',
  hint: 'Ways to support you, shown on your profile. Only rows with both a name and a link are saved.',
  one: 'payment link',
  name: 'Name',
  example: 'PayPal',
  add: 'Add Payment Link',
  full: `A profile has room for ${limits.paygates} payment links.`,
};

export function PaygateRows(props: LinkRowsProps) {
  return <LinkRows {...props} field="paygates" most={limits.paygates} words={words} />;
}
