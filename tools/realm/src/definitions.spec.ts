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
  ])('username %s: %s', (username, allowed) => {
    const { attributes } = userProfile as { attributes: Attribute[] };
    const pattern = attributes.find(({ name }) => name === 'username')?.validations.pattern;
    expect(new RegExp(`^(?:${pattern?.pattern})$`).test(username)).toBe(allowed);
  });
});
