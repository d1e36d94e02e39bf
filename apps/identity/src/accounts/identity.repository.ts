import { type Account, type CreatorFacts, identity } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import type { Account as Row, Prisma } from '../generated/prisma/client.ts';
import { recordVerifiedEmail } from '../recovery/owner-changes.repository.ts';
import { claimMail, nextAllowedAt, unclaimMail } from '../mails/recipient-mails.repository.ts';
import { recordBrowser, type SessionBrowser } from '../sessions/sessions.repository.ts';

/** The display name of an account's owner at a version of the profile. */
type ProfileName = Pick<CreatorFacts, 'displayName' | 'version'>;

@Injectable()
export class IdentityRepository {
  constructor(private readonly prisma: Database) {}

  /**
   * Creates the account if it does not exist, and records the session's browser and the profile's name.
   * Returns null when another account has the username, and `closed` when the account was deleted.
   */
  open(
    claims: Omit<Account, 'createdAt'> & {
      emailVerified: boolean;
      claimsIssuedAt: string;
    },
    { session, profile }: { session?: SessionBrowser | undefined; profile?: ProfileName | undefined } = {},
  ): Promise<Account | null | 'closed'> {
    const { uid, email, emailVerified, termsAcceptedAt, claimsIssuedAt } = claims;
    return this.prisma.$transaction(async (tx): Promise<Account | null | 'closed'> => {
      // A token may outlive its account by minutes.
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return 'closed';
      const unproved = { ...claims, emailVerified: false };
      const { count } = await tx.account.createMany({ data: [unproved], skipDuplicates: true });
      if (count === 1) await recordEvent(tx, identity.opened, { uid });
      const known = await tx.account.findUnique({ where: { uid } });
      if (!known) return null;
      if (session) await recordBrowser(tx, uid, session);
      if (profile && known.profileVersion < profile.version) await recordName(tx, { uid, ...profile });
      // A token lives for minutes, so its claims may be older than the last change.
      if (new Date(claimsIssuedAt) < known.claimsIssuedAt) return toAccount(known);
      // A password reset link also proves the address, and Keycloak records no event for that.
      if (emailVerified && !(known.emailVerified && known.email === email)) {
        await recordEvent(tx, identity.emailVerified, { uid, email, at: new Date().toISOString() });
      }
      if (emailVerified && !known.provedEmail) await recordVerifiedEmail(tx, uid, email);
      // Keycloak owns the address and the consent; both may change after the account was opened.
      const same =
        known.email === email &&
        known.emailVerified === emailVerified &&
        (known.termsAcceptedAt?.toISOString() ?? null) === termsAcceptedAt;
      const data = { email, emailVerified, termsAcceptedAt, claimsIssuedAt };
      return toAccount(same ? known : await tx.account.update({ where: { uid }, data }));
    });
  }

  /** Stores the display name of an account's owner, unless a later version is known. */
  async recordName(profile: CreatorFacts): Promise<void> {
    await recordName(this.prisma, profile);
  }

  /**
   * Claims one verification mail over all replicas. Fails if the last mail was sent after `notSince` (null:
   * at any time), or if the recipient's daily limit is reached. In the second case the next session tries
   * again.
   * @returns `claimed`, or when the recipient's limit ends (`from`; null if that limit is not the reason)
   */
  claimProof(uid: string, notSince: Date | null): Promise<'claimed' | { from: Date | null }> {
    return this.prisma.$transaction(async (tx) => {
      const [account] = await tx.$queryRaw<Pick<Row, 'email' | 'proofMailedAt'>[]>`
        SELECT email, proof_mailed_at AS "proofMailedAt" FROM account WHERE uid = ${uid}::uuid FOR UPDATE`;
      if (!account) return { from: null };
      const { email, proofMailedAt } = account;
      if (proofMailedAt && !(notSince && proofMailedAt < notSince)) return { from: null };
      if (!(await claimMail(tx, email, 'proof'))) return { from: await nextAllowedAt(tx, email, 'proof') };
      await tx.account.update({ where: { uid }, data: { proofMailedAt: new Date() } });
      return 'claimed';
    });
  }

  /** Releases a claim whose mail was not sent. */
  unclaimProof(uid: string): Promise<void> {
    return this.prisma.$transaction(async (tx) => {
      const account = await tx.account.findUnique({ where: { uid } });
      if (!account) return;
      await tx.account.update({ where: { uid }, data: { proofMailedAt: null } });
      await unclaimMail(tx, account.email);
    });
  }
}

async function recordName(
  db: Prisma.TransactionClient,
  { uid, displayName, version }: ProfileName & { readonly uid: string },
): Promise<void> {
  await db.account.updateMany({
    where: { uid, profileVersion: { lt: version } },
    data: { displayName, profileVersion: version },
  });
}

function toAccount(row: Row): Account {
  return {
    ...row,
    termsAcceptedAt: row.termsAcceptedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
