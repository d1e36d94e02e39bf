import type { AccountAction, AccountChange } from '../../auth/account-change.ts';

const done: Record<AccountAction, string> = {
  UPDATE_PASSWORD: 'Your password has been changed.',
  UPDATE_EMAIL:
    'Your email address is changed as soon as you follow the link in the mail that we sent there.',
  'webauthn-register': 'Your passkey has been added. You are asked for it when you log in.',
  CONFIGURE_TOTP: 'Your authenticator app is set up. You are asked for its code when you log in.',
  CONFIGURE_RECOVERY_AUTHN_CODES: 'Your recovery codes are set up. Keep them where you can find them.',
  delete_credential: 'It has been removed. You are not asked for it any more.',
};

/** The message for a creator who returns from a change at the sign-in server. */
export function changeMessage({ action, outcome }: AccountChange): string {
  if (outcome === 'success') return done[action];
  if (outcome === 'cancelled') return 'Nothing was changed.';
  return 'The change failed, and everything is as it was. Please try again.';
}
