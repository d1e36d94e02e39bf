import { Fragment } from 'react';

/** An address that breaks after slashes before it breaks within a name. */
export function AddressText({ text }: { text: string }) {
  return text.split(/(?<=\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
