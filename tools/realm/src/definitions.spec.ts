import { NewUsername, usernamePattern } from '@stoa/contracts';
import { describe, expect, it } from 'vitest';
import { readDefinitions } from './definitions.ts';

interface Attribute {
  name: string;
  validations: { pattern?: { pattern: string } };
}

const { clients, realm, userProfile } = await readDefinitions();

describe('the checked-in realm', () => {
  it('allows a direct grant to nobody and holds no secret', () => {
    for (const client of clients) expect(client).toMatchObject({ directAccessGrantsEnabled: false });
    expect(JSON.stringify({ realm, clients })).not.toMatch(/"(secret|password|smtpServer)":/);
  });

  const { attributes } = userProfile as { attributes: Attribute[] };
  const pattern = attributes.find(({ name }) => name === 'username')?.validations.pattern?.pattern;

  it('has the rule of the contracts for a username', () => {
    expect(pattern).toBe(usernamePattern);
  });

  it('keeps usernames and addresses unique, and usernames as they are', () => {
    expect(realm).toMatchObject({ editUsernameAllowed: false, duplicateEmailsAllowed: false });
  });

  it.each([
    ['ada_l-1', true],
    ['ab', false],
    ['a'.repeat(31), false],
    ['Ada', false],
    ['ada lovelace', false],
    ['ada.l', false],
    ['admin', false],
    ['undefined', false],
    ['administrators', true],
    ['edit-profile', false],
    ['abc', true],
    ['a'.repeat(30), true],
  ])('username %s: %s', (username, allowed) => {
    expect(new RegExp(`^(?:${pattern})$`).test(username)).toBe(allowed);
    expect(NewUsername.safeParse(username).success).toBe(allowed);
  });
});
