import { expect, test } from '@jest/globals';
import { closedPolicy, policyText, securityHeaders } from './security-headers.ts';

test('a policy is serialized', () => {
  const policy = {
    'default-src': ["'none'"],
    'img-src': ["'self'", 'data:'],
    'upgrade-insecure-requests': [],
  };
  expect(policyText(policy)).toBe("default-src 'none'; img-src 'self' data:; upgrade-insecure-requests");
});

test('HSTS is sent for https sites only', () => {
  const named = (https: boolean) => Object.keys(securityHeaders({ policy: closedPolicy, https }));
  expect(named(true)).toContain('strict-transport-security');
  expect(named(false)).not.toContain('strict-transport-security');
});

test('the Permissions-Policy denies unused features', () => {
  const policy = (features: string[]) =>
    securityHeaders({ policy: closedPolicy, https: true, features })['permissions-policy'];
  expect(policy([])).toContain('publickey-credentials-get=()');
  expect(policy(['publickey-credentials-get'])).not.toContain('publickey-credentials-get');
  expect(policy(['publickey-credentials-get'])).toContain('camera=()');
});

test('X-Frame-Options agrees with frame-ancestors', () => {
  const framed = (sources: string[]) =>
    securityHeaders({ policy: { 'frame-ancestors': sources }, https: false })['x-frame-options'];
  const other = framed(['https://stoa.test']);
  expect([framed(["'none'"]), framed(["'self'"]), other]).toEqual(['DENY', 'SAMEORIGIN', undefined]);
});
