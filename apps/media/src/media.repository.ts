import { Picture, ProblemCode, UploadPurpose } from '@stoa/contracts';
import { firstDelivery, poolOptions } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { z } from 'zod';
import { Prisma, PrismaClient, type Upload as Row } from './generated/prisma/client.ts';
import { MediaConfig } from './media.config.ts';

const Verdict = z.object({ code: ProblemCode, message: z.string() });

/** How the check of an upload ended, once and for all. */
export type Outcome =
  | { readonly picture: Picture; readonly refusal: null }
  | { readonly picture: null; readonly refusal: z.infer<typeof Verdict> };

export interface Grant {
  readonly id: string;
  readonly uid: string;
  readonly purpose: UploadPurpose;
  /** Where the variants of the picture will lie. */
  readonly path: string;
}

export interface Upload extends Grant {
  readonly outcome: Outcome | null;
}

/** A record of another service that may use a picture, as of its version. */
export interface Owner {
  readonly kind: 'creator' | 'offering';
  readonly id: string;
  readonly version: number;
}

type Transaction = Prisma.TransactionClient;

// Longer than the object store may take; a check holds its row, and with it a connection, all along.
const checking = { timeout: 60_000, maxWait: 10_000 };

export interface GrantBounds {
  /** Grants since `since` that came to nothing yet. */
  readonly most: number;
  readonly since: Date;
  /** Uploads, finished or not, that no record uses. */
  readonly mostUnused: number;
}

@Injectable()
export class MediaRepository implements OnApplicationShutdown {
  private readonly prisma: PrismaClient;

  constructor(config: MediaConfig) {
    this.prisma = new PrismaClient({
      adapter: new PrismaPg(poolOptions(config)),
      // The long form prints what a query was given.
      errorFormat: 'minimal',
    });
  }

  /** Records a grant, unless its owner has as many as the bounds allow; tells whether. */
  insert(grant: Grant, removeAfter: Date, { most, since, mostUnused }: GrantBounds): Promise<boolean> {
    return this.prisma.$transaction(async (tx) => {
      // One person's grants go one after another, or several at once could all pass the count.
      await lock(tx, grant.uid);
      const unfinished = { uid: grant.uid, createdAt: { gt: since }, picture: { equals: Prisma.DbNull } };
      if ((await tx.upload.count({ where: unfinished })) >= most) return false;
      // Also what was finished and never used takes room until the sweeper comes.
      const unused = { uid: grant.uid, removeAfter: { not: null } };
      if ((await tx.upload.count({ where: unused })) >= mostUnused) return false;
      await tx.upload.create({ data: { ...grant, removeAfter } });
      return true;
    });
  }

  async find(id: string): Promise<Upload | null> {
    const row = await this.prisma.upload.findUnique({ where: { id } });
    return row && toUpload(row);
  }

  /**
   * The outcome of an upload, by `check` if there is none yet. The row is locked meanwhile, so that however
   * many ask at once, and whatever dies on the way, there is only one.
   */
  settle(id: string, removeAfter: Date, check: () => Promise<Outcome>): Promise<Outcome | null> {
    return this.prisma.$transaction(async (tx) => {
      await lockUploads(tx, [id]);
      const row = await tx.upload.findUnique({ where: { id } });
      if (!row) return null;
      const settled = toUpload(row).outcome;
      if (settled) return settled;
      const outcome = await check();
      const { picture, refusal } = outcome;
      await tx.upload.update({
        where: { id },
        data: { picture: picture ?? Prisma.DbNull, refusal: refusal ?? Prisma.DbNull, removeAfter },
      });
      return outcome;
    }, checking);
  }

  /** The picture, kept until `until` even if nothing uses it; null when there is none, or it is going. */
  async hold(grant: Omit<Grant, 'path'>, until: Date): Promise<Picture | null> {
    const [row] = await this.prisma.$queryRaw<{ picture: unknown }[]>`
      UPDATE upload
         SET held_until = ${until},
             remove_after = CASE WHEN remove_after IS NOT NULL THEN GREATEST(remove_after, ${until}) END
       WHERE id = ${grant.id}::uuid AND uid = ${grant.uid}::uuid AND purpose = ${grant.purpose}
         AND picture IS NOT NULL AND (remove_after IS NULL OR remove_after > ${new Date()})
   RETURNING picture`;
    return row ? Picture.parse(row.picture) : null;
  }

  /**
   * Follows which upload `owner` uses, unless a newer version or the same event said so before.
   *
   * @returns the upload that nothing uses any more because of this.
   */
  attach(owner: Owner, uploadId: string | null, eventId: string): Promise<string | null> {
    const { kind: ownerKind, id: ownerId, version } = owner;
    return this.prisma.$transaction(async (tx) => {
      if (!(await firstDelivery(tx, eventId))) return null;
      await lock(tx, `${ownerKind} ${ownerId}`);
      const key = { ownerKind_ownerId: { ownerKind, ownerId } };
      const before = await tx.attachment.findUnique({ where: key });
      if (before && before.version >= version) return null;
      const replaced = before?.uploadId ?? null;
      await lockUploads(
        tx,
        [replaced, uploadId].filter((id) => id !== null),
      );
      await tx.attachment.upsert({
        where: key,
        create: { ownerKind, ownerId, uploadId, version },
        update: { uploadId, version },
      });
      if (uploadId) await keep(tx, uploadId);
      return replaced && replaced !== uploadId && (await release(tx, replaced)) ? replaced : null;
    });
  }

  /**
   * Takes up to `most` uploads whose time is over, gives each to `remove` and forgets them. Replicas may do
   * so at once: each skips what another one has in hand.
   *
   * @returns how many there were.
   */
  removeUnused(
    remove: (upload: Upload) => Promise<void>,
    { most, only = null }: { most: number; only?: string[] | null },
  ): Promise<number> {
    return this.prisma.$transaction(async (tx) => {
      const due = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM upload
         WHERE remove_after <= ${new Date()} AND (${only}::uuid[] IS NULL OR id = ANY(${only}::uuid[]))
         ORDER BY remove_after LIMIT ${most} FOR UPDATE SKIP LOCKED`;
      const where = { id: { in: due.map(({ id }) => id) } };
      for (const row of await tx.upload.findMany({ where })) await remove(toUpload(row));
      await tx.upload.deleteMany({ where });
      return due.length;
    }, checking);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }
}

async function lock(tx: Transaction, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

// Always in the same order, or two records that swap their pictures could wait for each other.
async function lockUploads(tx: Transaction, ids: string[]): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM upload WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`;
}

async function keep(tx: Transaction, id: string): Promise<void> {
  await tx.upload.updateMany({ where: { id }, data: { heldUntil: null, removeAfter: null } });
}

async function release(tx: Transaction, id: string): Promise<boolean> {
  if ((await tx.attachment.count({ where: { uploadId: id } })) > 0) return false;
  await tx.$executeRaw`
    UPDATE upload SET remove_after = GREATEST(${new Date()}, held_until) WHERE id = ${id}::uuid`;
  return true;
}

function toUpload({ id, uid, purpose, path, picture, refusal }: Row): Upload {
  return { id, uid, purpose: UploadPurpose.parse(purpose), path, outcome: toOutcome(picture, refusal) };
}

function toOutcome(picture: unknown, refusal: unknown): Outcome | null {
  if (picture) return { picture: Picture.parse(picture), refusal: null };
  if (refusal) return { picture: null, refusal: Verdict.parse(refusal) };
  return null;
}
