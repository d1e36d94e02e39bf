/** One address may use 1/`addressParts` of what is left of a limit, one network 1/`networkParts`. */
export interface SourceShares {
  readonly addressParts: number;
  readonly networkParts: number;
}

export interface UsedRoom {
  readonly all: number;
  readonly ofAddress: number;
  readonly ofNetwork: number;
}

/**
 * Whether the limit admits one more message. The shares keep one source from using up the limit for others.
 */
export function hasRoom(
  limit: number,
  { all, ofAddress, ofNetwork }: UsedRoom,
  { addressParts, networkParts }: SourceShares,
): boolean {
  const left = limit - all;
  return left > 0 && ofAddress * addressParts < left && ofNetwork * networkParts < left;
}
