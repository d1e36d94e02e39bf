/** Paths that all begin with `from`. */
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

/** Paths of the mail that follows after a message is stored. */
export const mailPaths = (route: string, operation: string) =>
  below(`${rpcPath(route, operation)} ~> contact mail`, ' > contact SMTP send', ' > contact postgres');

/** Paths of a log-out: Keycloak ends the session, and all gateways receive an event about it. */
export const signOutPaths = (route: string, operation: string) => [
  dbPath(route, operation),
  `${rpcPath(route, operation)} > identity keycloak`,
  `${rpcPath(route, operation)}${eventPath('identity.sessionEnded')}gateway process events.identity.sessionEnded`,
];

/** Path of the event that public offerings have a payee (destination of a payment link) more or less. */
export const payeePath = (route: string, operation: string) =>
  `${rpcPath(route, operation)}${eventPath('offerings.payeeNoted')}creators process events.offerings.payeeNoted > creators postgres`;

/** Path of the event that an account has a payee that it never had. */
export const movePath = (route: string, operation: string) =>
  `${rpcPath(route, operation)}${eventPath('offerings.paymentsMoved')}identity process events.offerings.paymentsMoved > identity postgres`;
