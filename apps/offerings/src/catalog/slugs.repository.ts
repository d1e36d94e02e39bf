import type { Offering as Row, Prisma } from '../generated/prisma/client.ts';
import { freeSlug, slugBase } from './slug.ts';

/** The number of former slugs that still find an offering. */
const maxFormerSlugs = 20;

/**
 * Gives an offering the first slug of its title that no other offering of the creator has or had. The caller holds the
 * creator's lock.
 */
export async function assignSlug(tx: Prisma.TransactionClient, row: Row): Promise<Row> {
  const { id, creatorId, title } = row;
  const base = slugBase(title);
  const like = { creatorId, slug: { startsWith: base }, offeringId: { not: id } };
  const select = { slug: true };
  const known = await tx.offeringSlug.findMany({ where: like, select });
  const former = await tx.formerSlug.findMany({ where: like, select });
  const slug = freeSlug(base, new Set([...known, ...former].map((taken) => taken.slug)));
  await tx.offeringSlug.createMany({ data: [{ creatorId, slug, offeringId: id }], skipDuplicates: true });
  await removeOldest(tx, row, slug);
  return tx.offering.update({ where: { id }, data: { slug } });
}

/** Removes the oldest slugs. Those that visitors know stay reserved, so that they never find another offering. */
async function removeOldest(
  tx: Prisma.TransactionClient,
  { id, creatorId, publishedAt }: Row,
  slug: string,
): Promise<void> {
  const own = await tx.offeringSlug.findMany({ where: { offeringId: id }, orderBy: { createdAt: 'desc' } });
  const outlived = own
    .map((old) => old.slug)
    .filter((old) => old !== slug)
    .slice(maxFormerSlugs);
  if (outlived.length === 0) return;
  await tx.offeringSlug.deleteMany({ where: { creatorId, slug: { in: outlived } } });
  if (publishedAt === null) return;
  const data = outlived.map((old) => ({ creatorId, slug: old, offeringId: id }));
  await tx.formerSlug.createMany({ data, skipDuplicates: true });
}
