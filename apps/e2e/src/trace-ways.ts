/** The ways below `from`, each as a line of its own. */
export const below = (from: string, ...to: string[]) => to.map((rest) => `${from}${rest}`);
export const asked = (route: string, operation: string) => {
  const [service] = operation.split('/');
  return `browser > gateway ${route} > gateway asks ${operation} > ${service} ${operation}`;
};
export const stored = (route: string, operation: string) =>
  `${asked(route, operation)} > ${operation.split('/')[0]} postgres`;

export const published = (event: string) => {
  const [service] = event.split('.');
  return ` > ${service} publish events.${event} ~> `;
};

/** The mail that follows the storing of a message. */
export const mailed = (route: string, operation: string) =>
  below(`${asked(route, operation)} ~> contact mail`, ' > contact SMTP send', ' > contact postgres');

/** Keycloak ends the session, and every gateway hears of it. */
export const signedOut = (route: string, operation: string) => [
  stored(route, operation),
  `${asked(route, operation)} > identity keycloak`,
  `${asked(route, operation)}${published('identity.sessionEnded')}gateway process events.identity.sessionEnded`,
];
