import { Picture, ProblemCode, StoredFile, UploadPurpose } from '@stoa/contracts';
import { z } from 'zod';
import { Prisma, type Upload as Row } from '../generated/prisma/client.ts';
import { grantLifeMs } from './upload-quota.ts';

const Verdict = z.object({ code: ProblemCode, message: z.string() });
export type Verdict = z.infer<typeof Verdict>;

/** The final result of an upload's check. */
export type Outcome = Exclude<CheckResult, { kind: 'timeout' }>;

/** The result of one check. After a timeout another check may follow. */
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
  /** The prefix of the picture's variants, or the key of the file. */
  readonly path: string;
  /** Null for pictures, whose names and types are not needed. */
  readonly filename: string | null;
  readonly contentType: string | null;
  /** In bytes, as announced. */
  readonly size: number;
}

export interface Upload extends Grant {
  readonly outcome: Outcome | null;
  /** When the row was read. All times are by the database's clock. */
  readonly asOf: Date;
  /** End of the lease of the replica that checks the upload, as of `asOf`. */
  readonly checkingUntil: Date | null;
  /** When the upload expires; null while a record uses it. */
  readonly removeAfter: Date | null;
  /** Number of checks that timed out. */
  readonly timeouts: number;
  /** Whether an operator has hidden the page that uses the upload; only read by `find`. */
  readonly isWithdrawn?: boolean;
}

/** A row with the columns of `uploadColumns`. */
export type ReadRow = Omit<Row, 'createdAt' | 'checkingBy' | 'removingUntil' | 'heldUntil'> & {
  asOf: Date;
  isWithdrawn?: boolean;
};

/** The SQL columns of an upload. */
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

/** Bytes of the checked upload; null while it is not checked. */
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

/** SQL expression for the time when the form of an upload expires. */
export const formExpiry = Prisma.sql`created_at + ${grantLifeMs}::float8 * interval '1 millisecond'`;

/** Expired uploads and those being removed do not count, unless their form is still valid. */
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

/** Serialises transactions about this account or record over all replicas. */
export async function lockByName(tx: Prisma.TransactionClient, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
