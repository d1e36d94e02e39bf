import { type Caller, operatorRole, SessionId, Uid } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { decodeJwt } from 'jose';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { z } from 'zod';
import { GatewayConfig } from '../gateway.config.ts';
import { EndedSessionsFollower } from './ended-sessions.follower.ts';
import { ProvedTokens } from './proved-tokens.ts';
import { signingKeys } from './signing-keys.ts';

const AccessToken = z.object({
  sub: Uid,
  sid: SessionId,
  iat: z.number(),
  /** Seconds since 1970. */
  auth_time: z.number().optional(),
  // A token without an end would open the API for ever.
  exp: z.number(),
  // Keycloak names the kind here; an ID or refresh token must not open the API.
  typ: z.literal('Bearer'),
  azp: z.string(),
  preferred_username: z.string(),
  email: z.string(),
  email_verified: z.boolean().default(false),
  displayName: z.string().optional(),
  /** Milliseconds since 1970. */
  termsAcceptedAt: z.coerce.number().int().positive().optional(),
  /** Of the realm's roles those that the client may use. */
  roles: z.array(z.string()).default([]),
});

const bearerOf = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Verifies access tokens: signature by the realm's keys, issuer, audience, expiry, algorithm, kind, and a session that goes on. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  private readonly proved = new ProvedTokens();

  constructor(
    private readonly config: GatewayConfig,
    private readonly ended: EndedSessionsFollower,
  ) {
    super({
      jwtFromRequest: bearerOf,
      passReqToCallback: true,
      issuer: config.OIDC_ISSUER,
      audience: config.OIDC_AUDIENCE,
      // RS256 is what a realm signed with before it was brought up to date; its key is published as long as that counts.
      algorithms: ['ES256', 'RS256'],
      secretOrKeyProvider: signingKeys(config.OIDC_JWKS_URL),
    });
  }

  /** As the library does it, but for the signature of a token that was proved a moment ago. */
  override authenticate(request: unknown, options?: unknown): void {
    const token = bearerOf(request);
    if (token === null || !this.proved.includes(token)) return super.authenticate(request, options);
    this.callerOf(decodeJwt(token)).then(
      (caller) => (caller ? this.success(caller) : this.fail()),
      (error: unknown) => this.error(error),
    );
  }

  /** What a token says whose signature, issuer, audience and expiry are as they should be. */
  async validate(request: unknown, payload: unknown): Promise<Caller | false> {
    const caller = await this.callerOf(payload);
    const token = bearerOf(request);
    const { exp } = payload as { exp?: number };
    if (caller && token !== null && exp !== undefined) this.proved.add(token, exp);
    return caller;
  }

  private async callerOf(payload: unknown): Promise<Caller | false> {
    const token = AccessToken.safeParse(payload);
    if (!token.success || token.data.azp !== this.config.KEYCLOAK_CLIENT_ID) return false;
    const {
      sub,
      sid,
      iat,
      auth_time,
      preferred_username,
      email,
      email_verified,
      displayName,
      termsAcceptedAt,
      roles,
    } = token.data;
    if (await this.ended.includes({ uid: sub, sid, iat })) return false;
    return {
      uid: sub,
      sid,
      username: preferred_username,
      email,
      emailVerified: email_verified,
      displayName: displayName ?? '',
      termsAcceptedAt: termsAcceptedAt ? new Date(termsAcceptedAt).toISOString() : null,
      isOperator: roles.includes(operatorRole),
      tokenIssuedAt: new Date(iat * 1000).toISOString(),
      authenticatedAt: auth_time === undefined ? undefined : new Date(auth_time * 1000).toISOString(),
    };
  }
}
