/** The share of the remaining room that one source may have used: 1 divided by this number. */
export interface SourceShares {
  readonly addressParts: number;
  readonly networkParts: number;
}

/** Messages that count against a limit: of all sources, and of the next message's address and network. */
export interface UsedRoom {
  readonly all: number;
  readonly ofAddress: number;
  readonly ofNetwork: number;
}

/**
 * Whether one more message fits. A source that has used more than its share of the remaining room is refused,
 * so that others find room. The first message of a network is accepted while there is any room.
 */
export function hasRoom(
  limit: number,
  { all, ofAddress, ofNetwork }: UsedRoom,
  { addressParts, networkParts }: SourceShares,
): boolean {
  const left = limit - all;
  return left > 0 && ofAddress * addressParts < left && ofNetwork * networkParts < left;
}
