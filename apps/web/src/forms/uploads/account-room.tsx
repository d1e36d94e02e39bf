import { useAccountRoom } from '../../api/creator/account-room.queries.ts';
import { bytesText } from '../../ui/text/bytes.ts';

/** The account's used and allowed storage; nothing if that is unknown. */
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
