import { limits } from '@stoa/contracts/limits';
import { LinkRows, type LinkRowsProps } from './link-rows.tsx';

const words = {
  title: 'More Links',
  hint: 'Anything else of yours: a website, a newsletter, other networks. Visitors see them in this order; only rows with both a label and a link are saved.',
  one: 'link',
  name: 'Label',
  example: 'My newsletter',
  add: 'Add Link',
  full: `A profile has room for ${limits.ownLinks} links.`,
};

export function OwnLinkRows(props: LinkRowsProps) {
  return <LinkRows {...props} field="links" most={limits.ownLinks} words={words} sortable />;
}
