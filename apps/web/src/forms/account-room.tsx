import { useAccountRoom } from '../api/account-room.queries.ts';
import { bytesText } from '../ui/bytes.ts';

/** How much of the account's room its files and pictures take; nothing where that is not known. */
export function AccountRoom() {
  const { data: room } = useAccountRoom();
  if (!room) return null;
  const { usedBytes, limitBytes, provedLimitBytes } = room;
  return (
    <p className="text-muted text-sm">
      Your files and pictures use {bytesText(usedBytes)} of {bytesText(limitBytes)}.
      {provedLimitBytes > limitBytes && ` Confirm your email address to get ${bytesText(provedLimitBytes)}.`}
    </p>
  );
}
