import { SetMetadata } from '@nestjs/common';

export type AccessLevel = 'public' | 'creator';

export const accessKey = 'stoa:access';

/** Open to everybody. A route that says nothing is closed to all. */
export const Public = () => SetMetadata(accessKey, 'public' satisfies AccessLevel);

/** Open to signed-in creators. */
export const SignedIn = () => SetMetadata(accessKey, 'creator' satisfies AccessLevel);
