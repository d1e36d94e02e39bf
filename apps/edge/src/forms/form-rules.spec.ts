import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { normalizeForm, formAddress } from './form-rules.ts';

const { cases } = JSON.parse(
  readFileSync(new URL('../../../../libs/contracts/cases/emails.json', import.meta.url), 'utf8'),
) as { readonly cases: readonly { in: string; kept: string | null }[] };
const taken = cases.flatMap(({ in: typed, kept }) => (kept === null ? [] : [[typed, kept]]));

describe.each(['registration', 'required-action', 'authenticate', 'reset-credentials'])(
  'the form of %s',
  (action) => {
    const complete = (given: Record<string, string>) => {
      const fields = new URLSearchParams(given);
      normalizeForm(formAddress(`/realms/stoa/login-actions/${action}?tab_id=x`), fields);
      return Object.fromEntries(fields);
    };

    it.each(taken)('normalizes the address %j to %j', (typed, kept) => {
      expect(complete({ email: typed, username: typed })).toEqual({ email: kept, username: kept });
      expect(complete({ email: kept, username: kept })).toEqual({ email: kept, username: kept });
    });

    it.each(['ada', ' ada ', 'Ada_L-1', ''])('does not change the username %j', (username) => {
      expect(complete({ username })).toEqual({ username });
    });
  },
);
