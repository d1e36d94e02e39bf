import { connect, type FlowSettings, makeOperator } from '@stoa/realm';
import { Account } from './account.ts';
import { creators } from './creators.ts';
import { Problem, type SeedSettings } from './settings.ts';
import type { SiteClient } from './site.client.ts';

/** The operator of the sample data. An administrator must grant the role; the site cannot. */
export const operator = { username: 'nandi-reviews', displayName: 'Nandi Khumalo' };

// Fixed ids, so that seeding again sends the same two reports.
const reports = [
  {
    id: '5f0d6d0a-7a52-4f0e-9a55-7d1c6c1b0a01',
    of: 2,
    reason: 'impersonation',
    text: 'I know this person, and the picture is not theirs.',
  },
  {
    id: '5f0d6d0a-7a52-4f0e-9a55-7d1c6c1b0a02',
    of: 1,
    offering: true,
    reason: 'misleading',
    text: 'I paid and do not see what I am to get, or when.',
  },
] as const;

export async function seedOperator(
  site: SiteClient,
  flow: FlowSettings,
  { password, admin }: SeedSettings,
): Promise<void> {
  if (!admin) return;
  const { uid } = await site.as(await Account.open(flow, operator, password, false)).open();
  await makeOperator(await connect(admin), admin.realm, uid);
  for (const { of, id, reason, text, ...more } of reports) {
    const username = creators[of]?.username ?? '';
    const seen = await site.find(username);
    if (!seen) throw new Problem(`There is no ${username} to report.`);
    const slug = 'offering' in more ? seen.offerings[0]?.slug : undefined;
    await site.report({ id, username, reason, text, ...(slug !== undefined && { slug }) });
  }
}
