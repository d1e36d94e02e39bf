import type { AccountRoom } from '@stoa/contracts';

/** The message for an upload that exceeds the account's storage: the sizes, and what the user can do. */
export function noRoomMessage(
  { usedBytes, limitBytes, provedLimitBytes }: AccountRoom,
  size: number,
): string {
  const used = `Your account has no room for this: it has ${megabytes(size)}, and ${megabytes(usedBytes)} of your ${megabytes(limitBytes)} are used.`;
  const more =
    provedLimitBytes > limitBytes
      ? ` Confirm your email address to get ${megabytes(provedLimitBytes)}, or remove`
      : ' Remove';
  return `${used}${more} files or offerings that you do not need.`;
}

/** Formats megabytes of 1024² bytes, as the web app does. */
function megabytes(bytes: number): string {
  const mega = bytes / 1024 ** 2;
  if (mega >= 1024) return `${rounded(mega / 1024)} GB`;
  return mega >= 1 ? `${rounded(mega)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}

const rounded = (value: number) => String(Math.round(value * 10) / 10);
