/** What the apps are told under test beside their addresses. */
export const testEnvironment: Record<string, string> = {
  // Each test comes from an address of its own, as visitors do, so that they do not share their limits.
  TRUST_PROXY: '1',
  // Nobody waits for the mail server as long as in earnest.
  MAIL_RETRY_MS: '1000',
};
