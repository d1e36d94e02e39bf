/** The paths below `from`, each as a line of its own. */
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

/** The mail that follows the storing of a message. */
export const mailPaths = (route: string, operation: string) =>
  below(`${rpcPath(route, operation)} ~> contact mail`, ' > contact SMTP send', ' > contact postgres');

/** Keycloak ends the session, and every gateway hears of it. */
export const signOutPaths = (route: string, operation: string) => [
  dbPath(route, operation),
  `${rpcPath(route, operation)} > identity keycloak`,
  `${rpcPath(route, operation)}${eventPath('identity.sessionEnded')}gateway process events.identity.sessionEnded`,
];

/** A payee comes to the public offerings, or leaves them. */
export const payeePath = (route: string, operation: string) =>
  `${rpcPath(route, operation)}${eventPath('offerings.payeeNoted')}creators process events.offerings.payeeNoted > creators postgres`;

/** A payee that is new to the account is logged. */
export const movePath = (route: string, operation: string) =>
  `${rpcPath(route, operation)}${eventPath('offerings.paymentsMoved')}identity process events.offerings.paymentsMoved > identity postgres`;
