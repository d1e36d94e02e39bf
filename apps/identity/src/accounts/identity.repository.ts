import { type Account, type CreatorFacts, identity } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import type { Account as Row, Prisma } from '../generated/prisma/client.ts';
import { recordVerifiedEmail } from '../recovery/owner-changes.repository.ts';
import { claimMail, nextAllowedAt, unclaimMail } from '../mails/recipient-mails.repository.ts';
import { recordBrowser, type SessionBrowser } from '../sessions/sessions.repository.ts';

type ProfileName = Pick<CreatorFacts, 'displayName' | 'version'>;

@Injectable()
export class IdentityRepository {
  constructor(private readonly prisma: Database) {}

  /**
   * Creates a missing account, and stores the session's browser and the display name. Returns null if another
   * account has the username, and `closed` if the account was deleted.
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
      // Access tokens stay valid for minutes after the account was deleted.
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return 'closed';
      const unproved = { ...claims, emailVerified: false };
      const { count } = await tx.account.createMany({ data: [unproved], skipDuplicates: true });
      if (count === 1) await recordEvent(tx, identity.opened, { uid });
      const known = await tx.account.findUnique({ where: { uid } });
      if (!known) return null;
      if (session) await recordBrowser(tx, uid, session);
      if (profile && known.profileVersion < profile.version) await recordName(tx, { uid, ...profile });
      if (new Date(claimsIssuedAt) < known.claimsIssuedAt) return toAccount(known);
      // A password reset link also proves the address, but Keycloak records no event about that.
      if (emailVerified && !(known.emailVerified && known.email === email)) {
        await recordEvent(tx, identity.emailVerified, { uid, email, at: new Date().toISOString() });
      }
      if (emailVerified && !known.provedEmail) await recordVerifiedEmail(tx, uid, email);
      // Keycloak is the source of the address and the consent, so changes there are copied.
      const same =
        known.email === email &&
        known.emailVerified === emailVerified &&
        (known.termsAcceptedAt?.toISOString() ?? null) === termsAcceptedAt;
      const data = { email, emailVerified, termsAcceptedAt, claimsIssuedAt };
      return toAccount(same ? known : await tx.account.update({ where: { uid }, data }));
    });
  }

  /** Stores the display name, unless the name of a later version of the profile is stored. */
  async recordName(profile: CreatorFacts): Promise<void> {
    await recordName(this.prisma, profile);
  }

  /**
   * Reserves one verification mail, so that two replicas do not both send it. Fails if the last mail was sent
   * after `notSince` (null: ever), or if the recipient's daily limit is reached.
   * @returns `claimed`, or when the daily limit allows the next mail (null: the limit is not the reason)
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

  /** Undoes `claimProof` if the mail was not sent. */
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
