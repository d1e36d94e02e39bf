// Types for the part of passport that the gateway uses. The published types depend on Express.
declare module 'passport' {
  class Strategy {
    authenticate(request: unknown, options?: unknown): void;
    success(user: unknown): void;
    fail(): void;
    error(error: unknown): void;
  }
  const passport: { Strategy: typeof Strategy };
  export default passport;
}
