import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { completeForm, formAddress } from './form-rules.ts';

const { cases } = JSON.parse(
  readFileSync(new URL('../../../libs/contracts/cases/emails.json', import.meta.url), 'utf8'),
) as { readonly cases: readonly { in: string; kept: string | null }[] };
const taken = cases.flatMap(({ in: typed, kept }) => (kept === null ? [] : [[typed, kept]]));

describe.each(['registration', 'required-action', 'authenticate', 'reset-credentials'])(
  'a form of %s',
  (action) => {
    const complete = (given: Record<string, string>) => {
      const fields = new URLSearchParams(given);
      completeForm(formAddress(`/realms/stoa/login-actions/${action}?tab_id=x`), fields);
      return Object.fromEntries(fields);
    };

    it.each(taken)('spells the address %j as everywhere else: %j', (typed, kept) => {
      expect(complete({ email: typed, username: typed })).toEqual({ email: kept, username: kept });
      expect(complete({ email: kept, username: kept })).toEqual({ email: kept, username: kept });
    });

    it.each(['ada', ' ada ', 'Ada_L-1', ''])('leaves the username %j alone', (username) => {
      expect(complete({ username })).toEqual({ username });
    });
  },
);
