// As much of passport-jwt as is used here: its published types bring those of Express, which does not run here.
declare module 'passport-jwt' {
  export type SecretOrKeyProvider = (
    request: unknown,
    rawJwtToken: string,
    done: (error: unknown, secretOrKey?: import('node:crypto').KeyObject) => void,
  ) => void;

  export const ExtractJwt: {
    fromAuthHeaderAsBearerToken(): (request: unknown) => string | null;
  };

  export class Strategy {
    constructor(options: {
      jwtFromRequest: (request: unknown) => string | null;
      passReqToCallback: boolean;
      issuer: string;
      audience: string;
      algorithms: string[];
      secretOrKeyProvider: SecretOrKeyProvider;
    });
    authenticate(request: unknown, options?: unknown): void;
    success(user: unknown): void;
    fail(): void;
    error(error: unknown): void;
  }
}
