import { SetMetadata } from '@nestjs/common';

export type AccessLevel = 'public' | 'creator' | 'key' | 'operator';

export const accessKey = 'stoa:access';

/** Opens a route to all callers. A route without an access decorator is closed. */
export const Public = () => SetMetadata(accessKey, 'public' satisfies AccessLevel);

/** Opens a route to signed-in creators. */
export const SignedIn = () => SetMetadata(accessKey, 'creator' satisfies AccessLevel);

/**
 * Opens a route to signed-in creators, and to callers with a key in its header. The service that owns the record checks the
 * key. A request with a key needs no token, and its token is ignored.
 */
export const SignedInOrKey = () => SetMetadata(accessKey, 'key' satisfies AccessLevel);

/** Opens a route to signed-in users with the realm's role of operators. The service checks the role again. */
export const OperatorsOnly = () => SetMetadata(accessKey, 'operator' satisfies AccessLevel);
