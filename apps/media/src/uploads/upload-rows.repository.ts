import { Picture, ProblemCode, StoredFile, UploadPurpose } from '@stoa/contracts';
import { z } from 'zod';
import { Prisma, type Upload as Row } from '../generated/prisma/client.ts';
import { grantLifeMs } from './upload-quota.ts';

const Verdict = z.object({ code: ProblemCode, message: z.string() });
export type Verdict = z.infer<typeof Verdict>;

/** The final result of the checks of an upload. */
export type Outcome = Exclude<CheckResult, { kind: 'timeout' }>;

/** The result of one check. After a timeout the next request checks the upload again. */
export type CheckResult =
  | { readonly kind: 'timeout' }
  | {
      readonly kind: 'picture';
      readonly picture: Picture;
      /** Total bytes of its variants. */ readonly bytes: number;
    }
  | { readonly kind: 'file'; readonly file: StoredFile }
  | { readonly kind: 'refused'; readonly refusal: Verdict };

export interface Grant {
  readonly id: string;
  readonly uid: string;
  readonly purpose: UploadPurpose;
  /** The beginning of the keys of a picture's variants, or the key of a file. */
  readonly path: string;
  /** Name that the browser sent; null for pictures, because no link needs it. */
  readonly filename: string | null;
  readonly contentType: string | null;
  /** In bytes: first as announced by the browser, after the check as stored. */
  readonly size: number;
}

export interface Upload extends Grant {
  readonly outcome: Outcome | null;
  /** The database's time when the row was read. The other times are compared with it. */
  readonly asOf: Date;
  /** Until when a replica holds the lease to check the upload. */
  readonly checkingUntil: Date | null;
  /** When the upload expires; null while a profile or offering uses it. */
  readonly removeAfter: Date | null;
  readonly timeouts: number;
  /** Whether an operator has hidden the page that uses the upload. Only `find` reads it. */
  readonly isWithdrawn?: boolean;
}

export type ReadRow = Omit<Row, 'createdAt' | 'checkingBy' | 'removingUntil' | 'heldUntil'> & {
  asOf: Date;
  isWithdrawn?: boolean;
};

export const uploadColumns = Prisma.sql`
  id, uid, purpose, path, filename, content_type AS "contentType", size, picture, file, refusal, timeouts,
  checking_until AS "checkingUntil", remove_after AS "removeAfter", now() AS "asOf"`;

export function toUpload({ id, uid, purpose, path, filename, contentType, size, ...row }: ReadRow): Upload {
  const grant = { id, uid, purpose: UploadPurpose.parse(purpose), path, filename, contentType, size };
  const { asOf, checkingUntil, removeAfter, timeouts, isWithdrawn = false } = row;
  return {
    ...grant,
    outcome: toOutcome({ ...row, size }),
    asOf,
    checkingUntil,
    removeAfter,
    timeouts,
    isWithdrawn,
  };
}

function toOutcome({
  picture,
  file,
  refusal,
  size,
}: Pick<ReadRow, 'picture' | 'file' | 'refusal' | 'size'>): Outcome | null {
  if (picture) return { kind: 'picture', picture: Picture.parse(picture), bytes: size };
  if (file) return { kind: 'file', file: StoredFile.parse(file) };
  if (refusal) return { kind: 'refused', refusal: Verdict.parse(refusal) };
  return null;
}

export function toColumns(checked: CheckResult): Partial<Record<'picture' | 'file' | 'refusal', string>> {
  switch (checked.kind) {
    case 'timeout':
      return {};
    case 'picture':
      return { picture: JSON.stringify(checked.picture) };
    case 'file':
      return { file: JSON.stringify(checked.file) };
    case 'refused':
      return { refusal: JSON.stringify(checked.refusal) };
  }
}

/** Bytes that the upload occupies after its check; null after a timeout. */
export function storedBytes(checked: CheckResult): number | null {
  switch (checked.kind) {
    case 'timeout':
      return null;
    case 'picture':
      return checked.bytes;
    case 'file':
      return checked.file.size;
    case 'refused':
      return 0;
  }
}

/** SQL for the time when the form of an upload expires. */
export const formExpiry = Prisma.sql`created_at + ${grantLifeMs}::float8 * interval '1 millisecond'`;

/** Bytes of an account's uploads. An expired one counts while a browser may still post its form. */
export async function usedBytesOf(
  database: Pick<Prisma.TransactionClient, '$queryRaw'>,
  uid: string,
): Promise<number> {
  const [row] = await database.$queryRaw<[{ bytes: bigint }]>`
    SELECT coalesce(sum(size), 0)::bigint AS bytes FROM upload
     WHERE uid = ${uid}::uuid
       AND (removing_until IS NULL AND (remove_after IS NULL OR remove_after > now())
            OR picture IS NULL AND file IS NULL AND refusal IS NULL AND ${formExpiry} > now())`;
  return Number(row.bytes);
}

/** Makes transactions about the same account or record wait for each other, over all replicas. */
export async function lockByName(tx: Prisma.TransactionClient, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
