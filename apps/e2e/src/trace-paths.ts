/** The paths that start with `from`. */
export const below = (from: string, ...to: string[]) => to.map((rest) => `${from}${rest}`);
export const rpcPath = (route: string, operation: string) => {
  const [service] = operation.split('/');
  return `browser > gateway ${route} > gateway asks ${operation} > ${service} ${operation}`;
};
export const dbPath = (route: string, operation: string) =>
  `${rpcPath(route, operation)} > ${operation.split('/')[0]} postgres`;

export const eventPath = (event: string) => {
  const [service] = event.split('.');
  return ` > ${service} publish events.${event} ~> `;
};

/** The paths of the mail after a stored message. */
export const mailPaths = (route: string, operation: string) =>
  below(`${rpcPath(route, operation)} ~> contact mail`, ' > contact SMTP send', ' > contact postgres');

/** The paths of a sign-out: Keycloak ends the session, and all gateways receive the event. */
export const signOutPaths = (route: string, operation: string) => [
  dbPath(route, operation),
  `${rpcPath(route, operation)} > identity keycloak`,
  `${rpcPath(route, operation)}${eventPath('identity.sessionEnded')}gateway process events.identity.sessionEnded`,
];

/** The path of the event that a payee was added to or removed from public offerings. */
export const payeePath = (route: string, operation: string) =>
  `${rpcPath(route, operation)}${eventPath('offerings.payeeNoted')}creators process events.offerings.payeeNoted > creators postgres`;

/** The path of the event that a payee is new to the account. */
export const movePath = (route: string, operation: string) =>
  `${rpcPath(route, operation)}${eventPath('offerings.paymentsMoved')}identity process events.offerings.paymentsMoved > identity postgres`;
