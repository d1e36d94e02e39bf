import { type Caller, operatorRole, SessionId, Uid } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import passport from 'passport';
import { z } from 'zod';
import { GatewayConfig } from '../gateway.config.ts';
import { EndedSessionsFollower } from './ended-sessions.follower.ts';
import { signingKeys } from './signing-keys.ts';

const AccessToken = z.object({
  sub: Uid,
  sid: SessionId,
  iat: z.number(),
  /** Time of the log-in, in seconds since 1970. */
  auth_time: z.number().optional(),
  // Required, because a token without an expiry would be valid for ever.
  exp: z.number(),
  // Only access tokens have this type, so that ID and refresh tokens do not open the API.
  typ: z.literal('Bearer'),
  azp: z.string(),
  preferred_username: z.string(),
  email: z.string(),
  email_verified: z.boolean().default(false),
  displayName: z.string().optional(),
  /** Time of the consent, in milliseconds since 1970. */
  termsAcceptedAt: z.coerce.number().int().positive().optional(),
  /** The user's roles in the realm. */
  roles: z.array(z.string()).default([]),
});

const bearer = /^Bearer +(\S+)$/i;

/** Verifies access tokens: signature, issuer, audience, expiry, algorithm, type, client, and that the session goes on. */
@Injectable()
export class JwtStrategy extends PassportStrategy(passport.Strategy, 'jwt') {
  private readonly keys: ReturnType<typeof signingKeys>;

  constructor(
    private readonly config: GatewayConfig,
    private readonly ended: EndedSessionsFollower,
  ) {
    super();
    this.keys = signingKeys(config.OIDC_JWKS_URL);
  }

  override authenticate({ headers }: Pick<FastifyRequest, 'headers'>): void {
    this.validate(bearer.exec(headers.authorization ?? '')?.[1]).then(
      (caller) => (caller ? this.success(caller) : this.fail()),
      (error: unknown) => this.error(error),
    );
  }

  /**
   * The caller whom the token names; false for an invalid token. @throws KeysUnavailable if the signature cannot be checked
   */
  async validate(token: string | undefined): Promise<Caller | false> {
    const payload = token === undefined ? undefined : await this.payloadOf(token);
    return payload ? this.callerOf(payload) : false;
  }

  private async payloadOf(token: string): Promise<JWTPayload | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.keys, {
        issuer: this.config.OIDC_ISSUER,
        audience: this.config.OIDC_AUDIENCE,
        algorithms: ['ES256'],
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  private async callerOf(payload: JWTPayload): Promise<Caller | false> {
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
