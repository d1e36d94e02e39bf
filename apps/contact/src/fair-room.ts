/** Which part of the room that is left one source may have filled: one of so many. */
export interface SourceParts {
  readonly addressParts: number;
  readonly networkParts: number;
}

/** Messages that count against a limit: of all sources, and of the address and the network that one more comes from. */
export interface Taken {
  readonly all: number;
  readonly ofAddress: number;
  readonly ofNetwork: number;
}

/**
 * Whether there is room for one more message. A source that has filled more than its part of the room that is left gets none of
 * it, so that the last places stay for others. The first message of a network is taken while there is any room.
 */
export function hasRoom(
  limit: number,
  { all, ofAddress, ofNetwork }: Taken,
  { addressParts, networkParts }: SourceParts,
): boolean {
  const left = limit - all;
  return left > 0 && ofAddress * addressParts < left && ofNetwork * networkParts < left;
}
