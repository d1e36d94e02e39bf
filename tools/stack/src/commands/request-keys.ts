import { makeRequestKeys } from '@stoa/system/settings/request-keys';

/** Prints a fresh pair, to change the key that requests are signed with. */
export function requestKeys(): number {
  const { signingKey, publicKeys } = makeRequestKeys();
  console.log(`REQUEST_SIGNING_KEY=${signingKey}\nREQUEST_PUBLIC_KEYS=${publicKeys}`);
  return 0;
}
