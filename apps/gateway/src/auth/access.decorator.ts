import { SetMetadata } from '@nestjs/common';

export type AccessLevel = 'public' | 'creator' | 'key' | 'operator';

export const accessKey = 'stoa:access';

/** Open to everybody. A route that says nothing is closed to all. */
export const Public = () => SetMetadata(accessKey, 'public' satisfies AccessLevel);

/** Open to signed-in creators. */
export const SignedIn = () => SetMetadata(accessKey, 'creator' satisfies AccessLevel);

/**
 * Open to signed-in creators, and to callers with a key in its header, which the service that owns the record checks. With a key
 * no token is read.
 */
export const SignedInOrKey = () => SetMetadata(accessKey, 'key' satisfies AccessLevel);

/** Open to those who are signed in and have the realm's role. The service that is asked checks it again. */
export const OperatorsOnly = () => SetMetadata(accessKey, 'operator' satisfies AccessLevel);
