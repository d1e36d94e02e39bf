import { Picture, ProblemCode, StoredFile, UploadPurpose } from '@stoa/contracts';
import { z } from 'zod';
import { Prisma, type Upload as Row } from './generated/prisma/client.ts';
import type { Checked, Outcome, Upload } from './media.repository.ts';

const Verdict = z.object({ code: ProblemCode, message: z.string() });
export type Verdict = z.infer<typeof Verdict>;

/** A row as `columns` reads it. */
export type ReadRow = Omit<Row, 'createdAt' | 'checkingBy' | 'removingUntil' | 'heldUntil'> & {
  asOf: Date;
  isWithdrawn?: boolean;
};

/** What is read of an upload. */
export const columns = Prisma.sql`
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

export function toColumns(checked: Checked): Partial<Record<'picture' | 'file' | 'refusal', string>> {
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

/** What is kept once the check is over; null while it is not. */
export function storedBytes(checked: Checked): number | null {
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

/** What is about to be removed is as good as gone. */
export async function usedBytesOf(
  database: Pick<Prisma.TransactionClient, '$queryRaw'>,
  uid: string,
): Promise<number> {
  const [row] = await database.$queryRaw<[{ bytes: bigint }]>`
    SELECT coalesce(sum(size), 0)::bigint AS bytes FROM upload
     WHERE uid = ${uid}::uuid AND removing_until IS NULL AND (remove_after IS NULL OR remove_after > now())`;
  return Number(row.bytes);
}
