import type { Report } from '@stoa/contracts';
import { randomBytes, randomUUID } from 'node:crypto';

/** A visitor's report of a profile, from a new network. */
export const makeReport = (changes: Partial<Report> & Pick<Report, 'creatorId'>): Report => ({
  id: randomUUID(),
  offering: null,
  reason: 'fraud',
  text: 'It asks for my password.',
  source: randomBytes(16).toString('base64url'),
  ...changes,
});
