import { expect, test } from '@jest/globals';
import { accountChangeOf, changeIn } from './account-change.ts';

test("the address of Keycloak's redirect holds the outcome of a change", () => {
  const hash = '#state=s&code=c&kc_action_status=success&kc_action=UPDATE_PASSWORD';
  expect(changeIn(hash)).toEqual({ action: 'UPDATE_PASSWORD', outcome: 'success' });
  expect(changeIn('#state=s&code=c')).toBeUndefined();
});

test.each([
  { action: 'UPDATE_PASSWORD', outcome: 'done' },
  { action: 'delete_account', outcome: 'success' },
  { outcome: 'success' },
  'success',
  null,
])('unknown parameters of an address are ignored: %j', (value) => {
  expect(accountChangeOf(value)).toBeUndefined();
});
